/** Answers for pages: one that has everything, one that has nothing, and any (fast-check), hostile ones among them. */
import fc from 'fast-check'
import type {
  Answer,
  AnswerFile,
  AnswerRange,
  CycleReport,
  MissingContext,
  RelatedAnswer,
} from '../../../src/index.js'

/** Texts that have been markup, script or worse somewhere. */
export const HOSTILE: readonly string[] = [
  '<script>window.struck = 1</script>',
  '</script><script>window.struck = 1</script>',
  '"><img src=x onerror="window.struck=1">',
  "' onmouseover='window.struck=1' x='",
  '" onfocus="window.struck=1" autofocus tabindex="0',
  '</title><script>window.struck = 1</script>',
  '</style><style>*{display:none}</style>',
  '</pre></details></article></main><h1>mine</h1>',
  '<!-- ',
  '--><b>',
  ']]>',
  '<![CDATA[<b>',
  '<plaintext>',
  '<svg/onload=window.struck=1>',
  '<iframe srcdoc="<script>parent.struck=1</script>">',
  '<meta http-equiv="refresh" content="0;url=https://example.org">',
  '<base href="https://example.org/">',
  '<link rel=stylesheet href=https://example.org/x.css>',
  '<form action=https://example.org><button>go',
  'javascript:window.struck=1',
  '&lt;b&gt; &amp; &#x3c;script&#62; &notanentity; &',
  '${window.struck = 1} {{7*7}} <%= 1 %>',
  '\0null\0',
  'carriage\rreturn\r\nand line\n feed',
  '\u001b[31mred\u001b[0m\u0007',
  '\u202Egnp.exe\u202C \u2066isolate\u2069 \u200Fmark',
  '\ud800 half \udfff',
  '\u2028line\u2029paragraph\u0085next',
  'ſtrong ﬁles \u{1F469}\u200D\u{1F4BB} 日本語 العربية',
  ' leading and trailing ',
  '`backtick` \\back\\slash /slash/',
  '<'.repeat(50),
]

export const EVERYTHING: Answer = {
  schema: 1,
  task: 'add rate limiting to API endpoints',
  stop: 'sufficient',
  notes: [
    {
      code: 'STALE_FILES',
      message: '80 files changed since they were indexed; run: hone index /home/me/work',
    },
    { code: 'HISTORY_SHALLOW', message: 'the clone holds the newest commits only' },
  ],
  files: [
    {
      path: 'src/middleware/throttle.ts',
      relevance: 0.9123,
      band: 'high',
      cycle: 1,
      reason: '"rate limiting" is closest to throttle here; defines throttle; file name matches',
      ranges: [
        {
          start: 1,
          end: 6,
          symbol: 'throttle',
          kind: 'function',
          text: '/** Limits the rate of calls. */\nexport function throttle(api: Api): void {\n\treturn limit(api) // the rate\n}\n\nconst rateLimit = "// no comment"',
        },
        { start: 40, end: 90, kind: 'block', text: 'only the first lines\nare here' },
        { start: 99, end: 99, kind: 'block' },
      ],
      missingContext: [
        { kind: 'symbol', name: 'RedisStore', definedIn: 'src/store/redis.ts', critical: true },
        { kind: 'symbol', name: 'Clock', definedIn: 'src/clock.ts', critical: false },
      ],
      evidence: [
        { signal: 'body.share', value: 1, effect: 2.1 },
        { signal: 'names.best.raw', value: 0.7, effect: 1.4 },
        { signal: 'comment.share', value: 0.2, effect: -0.6 },
        { signal: 'body.rank', value: 1, effect: 0.4 },
        { signal: 'file.size', value: 3, effect: 0.02 },
        { signal: 'past.commits', value: 3, effect: -0.01 },
      ],
    },
    {
      path: 'README.md',
      relevance: 0.5021,
      band: 'medium',
      cycle: 2,
      reason: 'defines limit, used by a relevant file',
      ranges: [{ start: 3, end: 3, symbol: 'Limits', kind: 'section', text: 'Limits' }],
      missingContext: [],
      evidence: [{ signal: 'pointed-at', value: 1, effect: 1.25 }],
    },
    {
      path: 'zero.txt',
      relevance: 0.1,
      band: 'none',
      cycle: 1,
      reason: 'similar wording',
      ranges: [],
      missingContext: [],
    },
  ],
  gaps: [
    { kind: 'symbol', name: 'RedisStore', definedIn: 'src/store/redis.ts', critical: true },
    { kind: 'word', name: 'endpoints', critical: false },
  ],
  cycles: [
    {
      n: 1,
      query: {
        patterns: ['src/**/*.ts'],
        keywords: ['rate', 'limit', 'api'],
        excludes: ['*.md'],
        moreExcludes: 0,
        focusAreas: [],
      },
      bridged: [{ word: 'rate limiting', to: ['throttle', 'ratelimit'], similarity: 0.6234 }],
      candidates: 143,
      deep: 0,
      added: ['src/middleware/throttle.ts'],
      discovered: ['middleware'],
      ms: 4.1,
    },
    {
      n: 2,
      query: {
        patterns: ['src/**/*.ts'],
        keywords: ['rate', 'limit', 'api', 'throttle', 'middleware'],
        excludes: Array.from({ length: 40 }, (_, i) => `src/unlikely/file-${i}.ts`),
        moreExcludes: 120,
        focusAreas: ['RedisStore'],
      },
      bridged: [],
      candidates: 1,
      deep: 3,
      added: ['README.md', 'src/elsewhere.ts'],
      discovered: [],
      ms: 1.7,
    },
  ],
  index: { files: 412, chunks: 3120, stale: 80, skipped: 9, encoder: 'hone-static-1' },
  ms: 11.8,
}

export const NOTHING: Answer = {
  ...EVERYTHING,
  stop: 'no-match',
  notes: [
    {
      code: 'BELOW_MINIMUM',
      message: 'nothing reaches 0.2; the nearest: src/a.ts:1-9 (0.12); a lower minimum relevance shows more',
    },
  ],
  files: [],
  gaps: [],
  cycles: [],
  index: { files: 0, chunks: 0, stale: null, skipped: 0, encoder: 'hone-static-1' },
}

/** The same text in every place of an answer that comes from a repository or from who asks. */
export function withText(text: string): Answer {
  const [file] = EVERYTHING.files
  if (file === undefined) throw new Error('there are files')
  const missing = [{ kind: 'symbol' as const, name: text, definedIn: text, critical: true }]
  return {
    ...EVERYTHING,
    task: text.trim() || 'a task',
    notes: [{ code: 'STALE_FILES', message: text }],
    files: [
      {
        ...file,
        path: text,
        reason: text.trim(),
        ranges: [{ start: 1, end: text.split('\n').length, symbol: text, kind: 'function', text }],
        missingContext: missing,
      },
    ],
    gaps: [...missing, { kind: 'word', name: text, critical: false }],
    cycles: EVERYTHING.cycles.map((cycle) => ({
      ...cycle,
      query: { patterns: [text], keywords: [text], excludes: [text], moreExcludes: 1, focusAreas: [text] },
      bridged: [{ word: text, to: [text], similarity: 0.5 }],
      added: [text],
      discovered: [text],
    })),
    index: { ...EVERYTHING.index, encoder: text },
  }
}

export const RELATED: RelatedAnswer = {
  schema: 1,
  places: [{ path: 'src/middleware/throttle.ts', lines: [{ start: 12, end: 12 }] }],
  notes: [{ code: 'NOT_INDEXED', message: 'changed, but not indexed: notes.txt' }],
  files: [
    {
      path: 'src/server.ts',
      relatedness: 0.7312,
      reason: 'uses throttle; changed together 4 times',
      ranges: [{ start: 3, end: 4, symbol: 'serve', kind: 'function', text: 'serve() {\n}' }],
      similarity: 0.41,
      commitsTogether: 4,
      uses: [],
      usedBy: ['throttle'],
    },
    {
      path: 'lib/clock.ts',
      relatedness: 0.2,
      reason: 'similar code',
      ranges: [],
      similarity: 0.3333,
      commitsTogether: 0,
      uses: ['Clock', 'now'],
      usedBy: [],
    },
  ],
  index: EVERYTHING.index,
  ms: 3.2,
}

const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ minLength: 1 }),
)
/** As the library gives it: no phrase is empty, and ";" separates them. */
const phrase = anyText.map((text) => text.replaceAll('; ', ', ').trim() || 'similar wording')
const ordinal = fc.integer({ min: 1, max: 100_000 })
const decimals = (options: { readonly min: number; readonly max: number }): fc.Arbitrary<number> =>
  fc
    .integer({ min: Math.round(options.min * 10_000), max: Math.round(options.max * 10_000) })
    .map((n) => n / 10_000)
const share = decimals({ min: 0, max: 1 })
const texts = fc.array(anyText, { maxLength: 4 })

const missing: fc.Arbitrary<MissingContext> = fc
  .record(
    {
      kind: fc.constantFrom('symbol' as const, 'word' as const),
      name: anyText,
      definedIn: anyText,
      critical: fc.boolean(),
    },
    { requiredKeys: ['kind', 'name', 'critical'] },
  )
  .map((gap) => (gap.kind === 'word' ? { kind: gap.kind, name: gap.name, critical: gap.critical } : gap))

const range: fc.Arbitrary<AnswerRange> = fc
  .record({
    start: ordinal,
    lines: fc.option(
      fc.array(
        anyText.map((text) => text.replaceAll('\n', ' ')),
        { minLength: 1, maxLength: 4 },
      ),
    ),
    more: fc.integer({ min: 0, max: 9 }),
    symbol: fc.option(anyText),
    kind: fc.constantFrom('function' as const, 'piece' as const, 'block' as const),
  })
  .map(({ start, lines, more, symbol, kind }) => ({
    start,
    end: start + Math.max(0, (lines?.length ?? 1) - 1) + more,
    kind,
    ...(symbol === null ? {} : { symbol }),
    ...(lines === null ? {} : { text: lines.join('\n') }),
  }))

const file: fc.Arbitrary<AnswerFile> = fc
  .record({
    path: anyText,
    relevance: share,
    band: fc.constantFrom('high' as const, 'medium' as const, 'low' as const, 'none' as const),
    cycle: fc.integer({ min: 1, max: 3 }),
    phrases: fc.array(phrase, { minLength: 1, maxLength: 3 }),
    ranges: fc.array(range, { maxLength: 3 }),
    missingContext: fc.array(
      missing.filter(({ kind }) => kind === 'symbol'),
      { maxLength: 2 },
    ),
    evidence: fc.array(
      fc.record({
        signal: fc.constantFrom(
          'body.share',
          'names.raw',
          'past.best.rank',
          'file.test',
          'query.terms',
          'unheard-of',
        ),
        value: decimals({ min: -3, max: 3 }),
        effect: decimals({ min: -4, max: 4 }),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ phrases, ...rest }) => ({ ...rest, reason: phrases.join('; ') }))

const cycle: fc.Arbitrary<CycleReport> = fc.record({
  n: fc.integer({ min: 1, max: 3 }),
  query: fc.record({
    patterns: texts,
    keywords: texts,
    excludes: texts,
    moreExcludes: fc.nat(),
    focusAreas: texts,
  }),
  bridged: fc.array(
    fc.record({ word: anyText, to: fc.array(anyText, { minLength: 1, maxLength: 3 }), similarity: share }),
    { maxLength: 2 },
  ),
  candidates: fc.nat(),
  deep: fc.nat({ max: 20 }),
  added: texts,
  discovered: texts,
  ms: decimals({ min: 0, max: 100 }),
})

export const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  schema: fc.constant(1 as const),
  task: anyText.map((text) => text.trim() || 'a task'),
  stop: fc.constantFrom('sufficient', 'nothing-new', 'max-cycles', 'budget', 'no-match'),
  notes: fc.array(fc.record({ code: fc.constantFrom('STALE_FILES', 'NO_HISTORY'), message: anyText }), {
    maxLength: 2,
  }),
  files: fc.array(file, { maxLength: 3 }),
  gaps: fc.array(missing, { maxLength: 3 }),
  cycles: fc.array(cycle, { maxLength: 3 }),
  index: fc.record({
    files: fc.nat(),
    chunks: fc.nat(),
    stale: fc.option(fc.nat()),
    skipped: fc.nat(),
    encoder: anyText,
  }),
  ms: decimals({ min: 0, max: 10_000 }),
})

/** Commits of a mirror as tasks: what lay-out.js and train-feedback/lay-out-changes.js agree on. */
import { execFileSync } from 'node:child_process'

const MAX_FILES = 5
const MIN_WORDS = 3
// Code in a language that hone cuts into symbols, and no test: what the benchmark's labels are, too.
const CODE =
  /\.(ts|tsx|js|jsx|mjs|cjs|py|go|java|kt|scala|c|h|cc|cpp|cxx|hpp|hh|cs|rs|rb|php|swift|ex|exs|hs|lua|sh|bash|zig)$/
const TEST =
  /(^|\/)(tests?|specs?|__tests__|testing|testdata|fixtures?|examples?|vendor|third_party|node_modules)\/|[._-](test|spec)\.|(^|\/)test_|_test\.|(Tests?|Spec)\.[a-z]+$/
// Subjects that say nothing about code.
const SAYS_NOTHING =
  /^(merge|bump|release|version|prepare|update (dependenc|changelog|readme)|changelog|revert|fix typos?|typos?|format|lint|\d|v\d)/i

/** First-parent commits, newest first. */
export function commitsOf(git) {
  const mark = '\u0001'
  const log = git(
    'log',
    '--first-parent',
    '-m',
    '-z',
    '--name-only',
    '-n',
    '6000',
    `--format=${mark}%H%n%ct%n%s%n%b${mark}`,
  )
  return log
    .split(mark)
    .slice(1)
    .flatMap((piece, i, all) => (i % 2 === 0 ? [parsed(piece, all[i + 1] ?? '')] : []))
}

function parsed(head, names) {
  const [hash, time, subject, ...body] = head.split('\n')
  return {
    hash,
    time: Number(time),
    subject: cleaned(subject),
    body: cleanedBody(body),
    all: names.split('\0').filter((name) => name.trim() !== '').length,
    paths: names
      .split('\0')
      .map((name) => name.replace(/^\n/, ''))
      .filter((path) => CODE.test(path) && !TEST.test(path)),
  }
}

function cleaned(subject) {
  return subject
    .replace(/\s*\((#\d+|closes? #\d+|fix(es)? #\d+)\)/gi, '')
    .replace(/^(feat|fix|chore|refactor|perf|docs|style|build|ci|test)(\([^)]*\))?!?:\s*/i, '')
    .trim()
}

/** The first paragraph of prose, without trailers and lists of commits. */
function cleanedBody(lines) {
  const text = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((p) => p.replace(/\s+/g, ' ').trim())
  const prose = text.find(
    (p) => p.length > 30 && !/^([\w-]+: |\* |- |Co-authored|Signed-off|Merge )/i.test(p),
  )
  return (prose ?? '').replace(/https?:\S+/g, '').slice(0, 1500)
}

/** Whether a commit says in words what it changed in a few files of code. */
export function isTask({ subject, paths, all }, maxFiles = MAX_FILES) {
  return (
    paths.length >= 1 &&
    paths.length <= maxFiles &&
    all <= 12 &&
    subject.split(/\s+/).length >= MIN_WORDS &&
    !SAYS_NOTHING.test(subject)
  )
}

/** At most so many, spread evenly. */
export function everyNth(items, most) {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)])
}

export function gitIn(mirror, words) {
  return execFileSync('git', ['--git-dir', mirror, ...words], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  })
}

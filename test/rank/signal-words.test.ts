import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEP_SIGNALS } from '../../src/rank/deep-signals.js'
import { evidenceByKind, kindOfSignal } from '../../src/rank/evidence-kinds.js'
import { FEEDBACK_SIGNALS } from '../../src/rank/feedback-signals.js'
import { signalInWords } from '../../src/rank/signal-words.js'
import { SIGNALS } from '../../src/rank/signals.js'

const NAMES = [...new Set([...SIGNALS, ...FEEDBACK_SIGNALS, ...DEEP_SIGNALS].map(({ name }) => name))]

describe('every signal of every model', () => {
  it('has words, and no two the same', () => {
    const words = NAMES.map(signalInWords)
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([])
    expect(NAMES.filter((name, i) => words[i] === name)).toEqual([])
  })

  it('is of a kind, and those that look at the same thing are of one', () => {
    expect(NAMES.filter((name) => kindOfSignal(name) === kindOfSignal('never heard of'))).toEqual([])
    for (const [kind, names] of [
      [
        'names it defines',
        ['names.share', 'names.best.raw', 'coverage.names', 'fit.names', 'defines.symbol'],
      ],
      ['words in its text', ['body.rank', 'whole-file.raw', 'coverage', 'coverage.rarest']],
      ['its file name and folders', ['file-name.share', 'folder.raw', 'fit.file-name', 'named.path']],
      ['the files near it', ['namesake.words', 'near.past', 'folder.candidates', 'folder.words.mean']],
      ['what sort of file it is', ['file.test', 'file.size']],
      ['likeness to rejected files', ['rejected.like', 'rejected.beside']],
    ] as const)
      expect(names.map(kindOfSignal)).toEqual(names.map(() => kind))
  })
})

describe('evidence by kind', () => {
  const effect = fc.integer({ min: -40_000, max: 40_000 }).map((n) => n / 10_000)
  const evidence = fc.array(fc.record({ signal: fc.constantFrom(...NAMES), value: effect, effect }))

  it('is all of it, each once, and sums up to the same', () => {
    fc.assert(
      fc.property(evidence, (all) => {
        const kinds = evidenceByKind(all)
        expect(new Set(kinds.flatMap(({ signals }) => signals))).toEqual(new Set(all))
        expect(kinds.flatMap(({ signals }) => signals)).toHaveLength(all.length)
        const sum = (items: readonly { readonly effect: number }[]): number =>
          items.reduce((total, one) => total + one.effect, 0)
        expect(sum(kinds)).toBeCloseTo(sum(all), 6)
        for (const kind of kinds) expect(kind.effect).toBeCloseTo(sum(kind.signals), 6)
      }),
    )
  })

  it('has the largest effect first, whatever its sign, and ties in the order of the alphabet', () => {
    const of = (signal: string, effect: number): Parameters<typeof evidenceByKind>[0][number] => {
      return { signal, value: 1, effect }
    }
    const kinds = evidenceByKind([
      of('past.commits', 0.5),
      of('body.rank', 2),
      of('comment.raw', -3),
      of('names.raw', 0.5),
      of('body.raw', -1.5),
    ])
    expect(kinds.map(({ kind, effect }) => [kind, effect])).toEqual([
      ['words in its comments', -3],
      ['names it defines', 0.5],
      ['past commits', 0.5],
      ['words in its text', 0.5],
    ])
  })
})

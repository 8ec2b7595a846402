import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Neighbourhoods, type Neighbour, type Neighbourhood } from '../../src/rank/neighbourhood.js'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const path = fc
  .tuple(
    fc.array(fc.constantFrom('src', 'lib', 'auth', 'a'), { maxLength: 4 }),
    fc.constantFrom(
      'token.ts',
      'token.test.ts',
      'token_test.go',
      'test_token.py',
      'jwt.h',
      'jwt.c',
      'Makefile',
    ),
  )
  .map(([folders, name]) => [...folders, name].join('/'))
const candidates = fc.uniqueArray(fc.record({ path, words: share, cosine: share, past: share }), {
  maxLength: 12,
  selector: (one) => one.path,
})

const STEMS: Readonly<Record<string, string>> = {
  'token.ts': 'token',
  'token.test.ts': 'token',
  'token_test.go': 'token',
  'test_token.py': 'token',
  'jwt.h': 'jwt',
  'jwt.c': 'jwt',
  Makefile: 'makefile',
}

/** The definition, candidate by candidate. */
function naive(all: readonly Neighbour[], own: string): Neighbourhood {
  const others = all.filter((one) => one.path !== own)
  const inFolder = others.filter((one) => posix.dirname(one.path) === posix.dirname(own))
  const stem = STEMS[posix.basename(own)]
  const namesakes = others.filter((one) => STEMS[posix.basename(one.path)] === stem)
  const nearness = others.map((one) => 2 ** -Math.min(8, steps(posix.dirname(one.path), posix.dirname(own))))
  const whole = nearness.reduce((sum, n) => sum + n, 0)
  const near = (of: (one: Neighbour) => number): number =>
    others.length === 0 ? 0 : others.reduce((sum, one, i) => sum + nearness[i]! * of(one), 0) / whole
  const best = (files: readonly Neighbour[], of: (one: Neighbour) => number): number =>
    Math.max(0, ...files.map(of))
  const mean = (of: (one: Neighbour) => number): number =>
    inFolder.reduce((sum, one) => sum + of(one), 0) / Math.max(1, inFolder.length)
  return {
    inFolder: inFolder.length / Math.max(1, all.length),
    folderWords: best(inFolder, (one) => one.words),
    folderCosine: best(inFolder, (one) => one.cosine),
    folderPast: best(inFolder, (one) => one.past),
    folderMeanWords: mean((one) => one.words),
    folderMeanCosine: mean((one) => one.cosine),
    nearWords: near((one) => one.words),
    nearCosine: near((one) => one.cosine),
    nearPast: near((one) => one.past),
    namesakeWords: best(namesakes, (one) => one.words),
    namesakeCosine: best(namesakes, (one) => one.cosine),
  }
}

function steps(a: string, b: string): number {
  const [one, two] = [a, b].map((folder) => (folder === '.' ? [] : folder.split('/')))
  const up = one!.findIndex((part, i) => part !== two![i])
  const common = up === -1 ? Math.min(one!.length, two!.length) : up
  return one!.length - common + (two!.length - common)
}

describe('the neighbourhood of a file', () => {
  it('is what the other candidates say, for candidates and for files beyond them', () => {
    fc.assert(
      fc.property(candidates, path, (all, beyond) => {
        const neighbourhoods = new Neighbourhoods(all)
        for (const own of [...all.map((one) => one.path), beyond]) {
          const told = neighbourhoods.of(own)
          const expected = naive(all, own)
          for (const key of Object.keys(expected) as (keyof Neighbourhood)[])
            expect(told[key], `${key} of ${own}`).toBeCloseTo(expected[key], 9)
        }
      }),
    )
  })

  it('is the same to the last bit in whatever order the candidates come', () => {
    fc.assert(
      fc.property(candidates, path, (all, own) => {
        expect(new Neighbourhoods([...all].reverse()).of(own)).toEqual(new Neighbourhoods(all).of(own))
      }),
    )
  })

  it('knows a header by its source and a test by what it tests', () => {
    const all = [
      { path: 'src/token.c', words: 0.5, cosine: 0.25, past: 0 },
      { path: 'src/jwt.c', words: 1, cosine: 1, past: 1 },
    ]
    expect(new Neighbourhoods(all).of('include/token.h')).toMatchObject({
      namesakeWords: 0.5,
      namesakeCosine: 0.25,
    })
    expect(new Neighbourhoods(all).of('test/token_test.c')).toMatchObject({ namesakeWords: 0.5 })
    expect(new Neighbourhoods(all).of('src/tokens.c')).toMatchObject({ namesakeWords: 0, folderWords: 1 })
  })
})

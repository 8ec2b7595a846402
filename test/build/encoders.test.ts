import { describe, expect, it } from 'vitest'
import { loadEncoder, wordsBeside } from '../../src/build/encoders.js'
import { DEFAULTS, MODELS_FOLDER } from '../../src/config.js'
import { hashingEmbedder } from '../library/hashing-embedder.js'

describe('the words beside an encoder', () => {
  it('are itself where it is made of words', async () => {
    const encoder = await loadEncoder([MODELS_FOLDER], DEFAULTS.encoder)
    expect(wordsBeside(encoder)).toBe(encoder)
  })

  it("are the default's beside another one, read once for each", () => {
    const [one, other] = [hashingEmbedder(), hashingEmbedder()]
    expect(wordsBeside(one).name).toBe(DEFAULTS.encoder)
    expect(wordsBeside(one)).toBe(wordsBeside(one))
    expect(wordsBeside(other).fingerprint).toBe(wordsBeside(one).fingerprint)
  })
})

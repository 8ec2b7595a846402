import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MODELS_FOLDER } from '../../src/config.js'
import { modelsAtHand, STATIC_TABLE_FILE, WEIGHT_FILES } from '../../src/embed/model-folder.js'

/** The cell to the right of `name` in the card's table. */
function fact(card: string, name: string): string {
  return new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(card)?.[1] ?? ''
}

describe('the card of each model that ships', () => {
  const models = modelsAtHand([MODELS_FOLDER])

  it('exists for the static table and the transformer', () => {
    expect(models.map(({ name, kind }) => [name, kind])).toEqual([
      ['all-MiniLM-L6-v2', 'transformer'],
      ['hone-static-1', 'static'],
    ])
  })

  it.each(models)('$name: states the digest of the weights, licence and source', ({ folder, kind }) => {
    const card = readFileSync(join(folder, 'README.md'), 'utf8')
    const weights = readFileSync(join(folder, kind === 'static' ? STATIC_TABLE_FILE : WEIGHT_FILES[0]))
    expect(fact(card, 'sha256')).toContain(createHash('sha256').update(weights).digest('hex'))
    expect(fact(card, 'licence')).not.toBe('')
    expect(fact(card, 'source')).not.toBe('')
  })

  it('all-MiniLM-L6-v2: states dimensions and length as the files do', () => {
    const read = (file: string): string => readFileSync(join(MODELS_FOLDER, 'all-MiniLM-L6-v2', file), 'utf8')
    const config = JSON.parse(read('config.json')) as { hidden_size: number }
    const sentence = JSON.parse(read('sentence_bert_config.json')) as { max_seq_length: number }
    expect(fact(read('README.md'), 'dimensions')).toBe(String(config.hidden_size))
    expect(fact(read('README.md'), 'added')).toContain(`${sentence.max_seq_length} tokens`)
  })
})

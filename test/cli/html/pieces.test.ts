import { describe, expect, it } from 'vitest'
import { itemList } from '../../../src/cli/html/pieces.js'
import { html } from '../../../src/cli/html/markup.js'
import { all, one, parsePage, readText } from '../../helpers/parsed-page.js'

describe('a list of items in a row', () => {
  it('has its items apart in the text that is copied or read aloud', () => {
    const { document } = parsePage(html`${itemList(['session', 'token'], 'word')}`.markup)
    expect(readText(one(document, 'ul'))).toBe('session token')
  })

  it('of many items stands behind their number', () => {
    const words = Array.from({ length: 60 }, (_, i) => `word${i}`)
    const { document } = parsePage(html`${itemList(words, 'word')}`.markup)
    expect(readText(one(document, 'summary'))).toBe('60 words')
    expect(all(document, 'li').map(readText)).toEqual(words)
  })
})

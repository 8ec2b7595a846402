import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, shownControls } from '../../../src/cli/html/markup.js'
import { attribute, elements, one, parsePage, textOf } from '../../helpers/parsed-page.js'
import { HOSTILE } from './answers.js'

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...HOSTILE))

describe('a value in a template', () => {
  it('is text, whatever it is and wherever it is put', () => {
    const holds = (text: string): void => {
      const page = html`<!doctype html>
        <title>${text}</title>
        <p title="${text}">${text}</p>`.markup
      const { document, faults } = parsePage(page)
      expect(faults).toEqual([])
      expect(elements(document).map(({ tagName }) => tagName)).toEqual(['html', 'head', 'title', 'body', 'p'])
      const shown = shownControls(text)
      const p = one(document, 'p')
      expect(p.attrs.map(({ name }) => name)).toEqual(['title'])
      expect([attribute(p, 'title'), textOf(p), textOf(one(document, 'title'))]).toEqual([
        shown,
        shown,
        shown,
      ])
    }
    HOSTILE.forEach(holds)
    fc.assert(fc.property(anyText, holds), { numRuns: 500 })
  })

  it('is markup only when a template made it; lists follow one another, false is nothing', () => {
    const bold = html`<b>${1}</b>`
    expect(html`${[bold, '<', [bold]]}${false}`.markup).toBe('<b>1</b>&lt;<b>1</b>')
  })

  it('keeps its own line breaks; those of the template stand for one blank each', () => {
    expect(
      html`<ul>
        <li>${'a\n  b'}</li>
        <li></li>
      </ul>`.markup,
    ).toBe('<ul>\n<li>a\n  b</li>\n<li></li>\n</ul>')
  })
})

describe('what cannot be seen', () => {
  it('is shown, and all else is left alone', () => {
    expect(shownControls('a\0\u001b[1m\r\u007f\u0085\u202eb\ud800\uffff')).toBe(
      'a\u2400\u241b[1m\u240d\u2421<U+0085><U+202E>b<U+D800><U+FFFF>',
    )
    const plain = 'tab\tline\n ſ \u{1F469}\u200D\u{1F4BB} 日本語 العربية e\u0301'
    expect(shownControls(plain)).toBe(plain)
  })
})

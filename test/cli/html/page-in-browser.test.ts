/** The page as a browser shows it: readable by everyone, by keyboard, at any width, without a network. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerPage } from '../../../src/cli/html/answer-page.js'
import { relatedPage } from '../../../src/cli/html/related-page.js'
import { codeMarker, type Answer, type CodeMarker } from '../../../src/index.js'
import { HAS_CHROMIUM, startBrowser, type Browser, type Tab, type View } from '../../helpers/browser.js'
import { EVERYTHING, HOSTILE, NOTHING, RELATED, withText } from './answers.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const WIDE = 1280
// What WCAG asks pages to fit into: 400 % on a screen of 1280 pixels.
const NARROW = 320

let browser: Browser
let mark: CodeMarker

// Of other systems the package brings no browser; what the page says is tested everywhere (answer-page.test.ts).
describe.runIf(HAS_CHROMIUM)('in a browser, a page', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    mark = await codeMarker()
    browser = await startBrowser()
  }, 300_000) // unpacking it takes seconds, minutes where others work

  afterAll(() => browser.close())

  const pageOf = (answer: Answer): string => answerPage(answer, { mark, isExplained: true })
  const openPage = (html: string, view: Partial<View> = {}): Promise<Tab> =>
    browser.open(html, { theme: 'light', width: WIDE, ...view })

  const pages: readonly (readonly [name: string, html: () => string])[] = [
    ['an answer with everything', () => pageOf(EVERYTHING)],
    ['an answer with nothing', () => pageOf(NOTHING)],
    ['an answer of hostile texts', () => pageOf(withText(HOSTILE.join(' ')))],
    ['what is related', () => relatedPage(RELATED, mark)],
  ]

  it.each(pages)('of %s has no fault that axe finds, light and wide, dark and narrow', async (_, html) => {
    const tab = await openPage(html())
    await tab.evaluate(AXE)
    await tab.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
    for (const [theme, width] of [
      ['light', WIDE],
      ['dark', NARROW],
    ] as const) {
      await tab.show({ theme, width })
      expect(await faultsOf(tab), theme).toEqual([])
    }
  })

  it('is looked at by axe in the theme it is shown in', async () => {
    const dim = 'document.documentElement.style.setProperty("--soft", "#777")'
    const tab = await openPage(pageOf(EVERYTHING))
    await tab.evaluate(AXE)
    await tab.evaluate(dim)
    for (const theme of ['light', 'dark'] as const) {
      await tab.show({ theme, width: WIDE })
      expect((await faultsOf(tab))[0], theme).toMatch(/^color-contrast: /)
    }
  })

  it.each(pages)('of %s loads nothing and breaks no rule of its own policy', async (_, html) => {
    const tab = await openPage(html())
    await tab.show({ theme: 'dark', width: NARROW })
    expect(tab.requests).toEqual([])
    expect(tab.messages).toEqual([])
    expect(await tab.evaluate('getComputedStyle(document.body).fontFamily')).toContain('system-ui') // the style holds
  })

  it('is struck by nothing that a repository or a task holds', async () => {
    const files = HOSTILE.flatMap((text) => withText(text).files)
    const tab = await openPage(pageOf({ ...withText(HOSTILE.join(' ')), files }))
    const counts =
      '["article", "script", "img", "iframe", "b", "button"].map((name) => document.querySelectorAll(name).length)'
    expect(await tab.evaluate(`[window.struck ?? null, ...${counts}]`)).toEqual([
      null,
      HOSTILE.length,
      0,
      0,
      0,
      0,
      0,
    ])
    expect(tab.requests).toEqual([])
  })

  it('would not run or load what got into it all the same', async () => {
    const inside =
      '<script>window.struck = 1</script><img src="http://127.0.0.1:9/x.png" onerror="window.struck = 2">' +
      '<iframe src="data:text/html,x"></iframe><p id="styled" style="color: rgb(1, 2, 3)">x</p><style>p { color: rgb(1, 2, 3) }</style>'
    const tab = await openPage(pageOf(EVERYTHING).replace('</main>', `${inside}</main>`))
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
    expect(await tab.evaluate('window.struck ?? null')).toBeNull()
    expect(await tab.evaluate('getComputedStyle(document.getElementById("styled")).color')).not.toBe(
      'rgb(1, 2, 3)',
    )
    expect(tab.messages.join('\n')).toMatch(/Content Security Policy/)
  })

  it.each([NARROW, 390, 768, WIDE])('fits into %i pixels, however long its words are', async (width) => {
    const long = withText(`src/${'a'.repeat(300)}/${'long-name-'.repeat(30)}.ts`)
    for (const answer of [EVERYTHING, NOTHING, long]) {
      const tab = await openPage(pageOf(answer), { width })
      await tab.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })')
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  it('is used by keyboard: past the list of files, and to open and close what is folded', async () => {
    const tab = await openPage(pageOf(EVERYTHING))
    const active = (): Promise<string> =>
      tab.evaluate('document.activeElement.textContent.trim().slice(0, 40)')
    await tab.press('Tab')
    expect(await active()).toBe('Skip to the answer')
    expect(await isSeen(tab)).toBe(true)
    await tab.press('Enter')
    expect(await tab.evaluate('document.activeElement.id')).toBe('answer')
    await tab.press('Tab')
    expect(await active()).toBe('cycle 1')
    while (!(await active()).startsWith('Lines ')) await tab.press('Tab')
    expect(await isSeen(tab)).toBe(true)
    const isOpen = (): Promise<boolean> => tab.evaluate('document.activeElement.parentElement.open')
    expect(await isOpen()).toBe(true)
    await tab.press('Enter')
    expect(await isOpen()).toBe(false)
    await tab.press(' ')
    expect(await isOpen()).toBe(true)
  })

  it('keeps the list of files in sight on a wide screen, and puts it first on a narrow one', async () => {
    const tab = await openPage(pageOf(EVERYTHING))
    const place = (
      what: string,
    ): Promise<{ readonly x: number; readonly y: number; readonly right: number }> =>
      tab.evaluate(`document.querySelector("${what}").getBoundingClientRect().toJSON()`)
    expect((await place('.rail')).right).toBeLessThan((await place('main')).x)
    await tab.evaluate('window.scrollTo(0, 600)')
    expect((await place('.rail')).y).toBeGreaterThan(0)
    await tab.show({ theme: 'light', width: NARROW })
    await tab.evaluate('window.scrollTo(0, 0)')
    expect((await place('.rail')).y).toBeLessThan((await place('main')).y)
  })

  it('shows the code as it is written, with numbers that are not copied', async () => {
    const tab = await openPage(pageOf(EVERYTHING))
    const copied = await tab.evaluate<string>(`{
      const range = document.createRange()
      range.selectNodeContents(document.querySelector('pre.code'))
      getSelection().removeAllRanges()
      getSelection().addRange(range)
      getSelection().toString()
    }`)
    const text = EVERYTHING.files[0]?.ranges[0]?.text ?? ''
    expect(copied.trimEnd()).toBe(text)
  })
})

/** What axe finds wrong, and what contrast it could not tell. */
async function faultsOf(tab: Tab): Promise<readonly string[]> {
  return tab.evaluate(`axe.run(document, { resultTypes: ['violations', 'incomplete'] }).then(({ violations, incomplete }) =>
    [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ html }) => html.slice(0, 80)).join(' | ')))`)
}

/** Whether what has the focus is in sight and outlined. */
function isSeen(tab: Tab): Promise<boolean> {
  return tab.evaluate(`{
    const { top, left } = document.activeElement.getBoundingClientRect()
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
    top >= 0 && left >= 0 && outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
  }`)
}

/**
 * A headless Chromium for tests, spoken to over a pipe (Chrome DevTools Protocol). It is the one inside of the npm
 * package, so that `npm ci` alone brings it, with the libraries and the font it needs; Linux on x64 only.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { unpackChromium } from './unpack-chromium.js'

/** Whether the package has a Chromium for this machine. */
export const HAS_CHROMIUM = process.platform === 'linux' && process.arch === 'x64'

export interface View {
  readonly theme: 'light' | 'dark'
  readonly width: number
  readonly height?: number
}

/** A page that is open. */
export interface Tab {
  /** The value of an expression, awaited; runs whatever the page's policy says. */
  evaluate<T>(expression: string): Promise<T>
  /** Presses a key by its name, e.g. "Tab". */
  press(key: 'Tab' | 'Enter' | ' '): Promise<void>
  show(view: View): Promise<void>
  /** The whole page as PNG, or a part of it in pixels from the top. */
  screenshot(part?: { readonly from: number; readonly height: number }): Promise<Buffer>
  /** Everything that was asked for over a network or from a disk, the page itself aside. */
  readonly requests: readonly string[]
  /** What the page wrote into the console, and what its policy refused. */
  readonly messages: readonly string[]
}

/** Shows one page at a time. */
export interface Browser {
  open(html: string, view: View): Promise<Tab>
  close(): Promise<void>
}

type Reply = Readonly<Record<string, unknown>>

export async function startBrowser(options: { readonly hasSystemFonts?: boolean } = {}): Promise<Browser> {
  const { program, libraries, fonts } = await unpackChromium(options.hasSystemFonts ?? false)
  const folder = mkdtempSync(join(tmpdir(), 'hone-browser-'))
  const child = spawn(
    program,
    [
      '--headless',
      '--no-sandbox', // tests may run as root, for whom Chromium has none; the pages are our own
      '--no-zygote',
      '--disable-gpu',
      '--disable-dev-shm-usage', // small in containers
      '--hide-scrollbars',
      '--remote-debugging-pipe',
      `--user-data-dir=${join(folder, 'profile')}`,
    ],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fonts, HOME: folder },
    },
  )
  const protocol = new Protocol(child)
  let pages = 0
  let last: Reply | undefined
  return {
    async open(html, view) {
      const file = join(folder, `page-${++pages}.html`)
      writeFileSync(file, html)
      if (last !== undefined) await protocol.send('Target.closeTarget', last)
      last = await protocol.send('Target.createTarget', { url: 'about:blank' })
      return openTab(protocol, last, { url: pathToFileURL(file).href, view })
    },
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openTab(
  protocol: Protocol,
  target: Reply,
  { url, view }: { readonly url: string; readonly view: View },
): Promise<Tab> {
  const { sessionId } = await protocol.send('Target.attachToTarget', { ...target, flatten: true })
  const session = String(sessionId)
  const send = (method: string, params: object = {}): Promise<Reply> => protocol.send(method, params, session)
  const requests: string[] = []
  const messages: string[] = []
  let shown = view
  const show = async (next: View): Promise<void> => {
    const { theme, width, height = 900 } = next
    shown = next
    await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] })
    await send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    })
  }
  protocol.listen(session, 'Network.requestWillBeSent', ({ request }) => {
    const asked = (request as { readonly url: string }).url
    if (asked !== url) requests.push(asked)
  })
  protocol.listen(session, 'Log.entryAdded', ({ entry }) =>
    messages.push((entry as { readonly text: string }).text),
  )
  protocol.listen(session, 'Runtime.consoleAPICalled', (event) =>
    messages.push(JSON.stringify(event['args'])),
  )
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`)
  await show(view)
  const loaded = new Promise<void>((resolve) => {
    protocol.listen(session, 'Page.loadEventFired', () => {
      resolve()
    })
  })
  await send('Page.navigate', { url })
  await loaded
  return {
    requests,
    messages,
    show,
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
      return (result as { readonly value: T }).value
    },
    async press(key) {
      const text = key === 'Tab' ? {} : { text: key === 'Enter' ? '\r' : key }
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...KEYS[key], ...text })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...KEYS[key] })
    },
    async screenshot(part) {
      const clip = part && { x: 0, y: part.from, width: shown.width, height: part.height, scale: 1 }
      const { data } = await send('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: true,
        ...(clip && { clip }),
      })
      return Buffer.from(String(data), 'base64')
    },
  }
}

const KEYS = {
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 },
  ' ': { key: ' ', code: 'Space', windowsVirtualKeyCode: 32 },
} as const

/** Messages are JSON, each ended by a zero byte. */
class Protocol {
  #last = 0
  #rest = ''
  readonly #open = new Map<number, (reply: { readonly result?: Reply; readonly error?: unknown }) => void>()
  readonly #listeners: { readonly at: string; readonly hear: (params: Reply) => void }[] = []
  readonly #input: Writable

  constructor(child: ChildProcess) {
    const [, , , input, output] = child.stdio as [null, null, null, Writable, Readable]
    this.#input = input
    input.on('error', () => undefined) // it is gone: said below
    output.setEncoding('utf8')
    output.on('data', (piece: string) => {
      this.#read(piece)
    })
    child.on('exit', (code) => {
      for (const answer of this.#open.values()) answer({ error: `Chromium ended with ${code}` })
      this.#open.clear()
    })
  }

  send(method: string, params: object, sessionId?: string): Promise<Reply> {
    const id = ++this.#last
    const reply = new Promise<Reply>((resolve, reject) => {
      this.#open.set(id, ({ result, error }) => {
        if (result === undefined) reject(new Error(`${method}: ${JSON.stringify(error)}`))
        else resolve(result)
      })
    })
    this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return reply
  }

  listen(session: string, method: string, hear: (params: Reply) => void): void {
    this.#listeners.push({ at: `${session} ${method}`, hear })
  }

  #read(piece: string): void {
    const messages = (this.#rest + piece).split('\0')
    this.#rest = messages.pop() ?? ''
    for (const text of messages) {
      const { id, method, sessionId, params, ...reply } = JSON.parse(text) as Message
      if (id === undefined) {
        for (const { at, hear } of this.#listeners) if (at === `${sessionId} ${method}`) hear(params)
      } else {
        this.#open.get(id)?.(reply)
        this.#open.delete(id)
      }
    }
  }
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly sessionId: string
  readonly params: Reply
  readonly result?: Reply
  readonly error?: unknown
}

/**
 * Stack traces in a text: which file, line and function each frame names, in the shapes that languages print.
 * Pure text; whether a file is of this repository is for places.ts to say.
 */
import { identifiersIn } from '../text/words.js'

/** A place in code as a text names it. */
export interface Place {
  /** With "/", as long as it was written; relative, absolute or of another machine. */
  readonly path: string
  /** From 1; undefined where only the file is named. */
  readonly line: number | undefined
  /** Function the line is in, as code would name it; "" when not told. */
  readonly symbol: string
}

export interface StackTraces {
  /** Where it happened first, then who called that, and so on. */
  readonly frames: readonly Place[]
  /** The text without the lines that are frames. */
  readonly rest: string
}

interface FrameShape {
  /** Matched against one line; groups `path` and `line`, and `symbol` where the line holds it. */
  readonly pattern: RegExp
  /** The function stands in the line before. */
  readonly symbolBefore?: RegExp
  /** Python prints the place of the error last. */
  readonly isDeepestLast?: true
  /** The line after shows the code. */
  readonly hasCodeBelow?: true
  /** The path to look for, where the line says it in parts. */
  readonly toPath?: (groups: Readonly<Record<string, string | undefined>>) => string
}

const SHAPES: readonly FrameShape[] = [
  // Python:  File "app/models.py", line 12, in save
  {
    pattern: /^\s*File "(?<path>[^"]+)", line (?<line>\d+)(?:, in (?<symbol>.+))?$/,
    isDeepestLast: true,
    hasCodeBelow: true,
  },
  // C#:  at Shop.Cart.Total(Int32 n) in C:\src\Cart.cs:line 42
  { pattern: /^\s*at (?<symbol>[^(]+)\(.*\) in (?<path>.+):line (?<line>\d+)\s*$/ },
  // Java, Kotlin, Scala:  at org.shop.Cart.total(Cart.java:42)
  {
    pattern:
      /^\s*at (?:[\w.@-]+\/{1,2})*(?<type>[\w.$]+)\.(?<symbol>[\w$<>]+)\((?<path>[\w$-]+\.(?:java|kt|kts|scala|groovy|clj)):(?<line>\d+)\)/,
    toPath: ({ type = '', path = '' }) => [...type.split('.').slice(0, -1), path].join('/'),
  },
  // JavaScript:  at total (src/cart.js:42:7), at async Cart.total (file:///srv/cart.js:42:7)
  { pattern: /^\s*at (?<symbol>[^()]+?) \((?<path>[^()]+?):(?<line>\d+)(?::\d+)?\)\s*$/ },
  // Rust (below the function's line) and JavaScript without a function:  at ./src/cart.rs:42:7
  {
    pattern: /^\s*at (?:async )?(?<path>\S+?\.\w+):(?<line>\d+)(?::\d+)?\s*$/,
    symbolBefore: /^\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?<symbol>\S.*)$/,
  },
  // Rust:  thread 'main' panicked at src/cart.rs:42:7:
  {
    pattern:
      /^\s*thread '[^']*' (?:\(\d+\) )?panicked at (?:'.*', )?(?<path>\S+?\.rs):(?<line>\d+):\d+:?\s*$/,
  },
  // Firefox and Safari:  total@https://shop.example/src/cart.js:42:7
  { pattern: /^\s*(?<symbol>[\w$.<>/*]*)@(?<path>\S+?):(?<line>\d+):\d+\s*$/ },
  // Go:  main.(*Cart).Total(0xc000010000)  and below it  /srv/cart.go:42 +0x1b
  {
    pattern: /^\s+(?<path>\S+\.(?:go|s)):(?<line>\d+)(?: \+0x[0-9a-f]+)?\s*$/,
    symbolBefore: /^(?:created by )?(?<symbol>[\w./*()$-]+?)(?:\([^()]*\)| in goroutine \d+)?\s*$/,
  },
  // Ruby:  from app/cart.rb:42:in `block in total'
  { pattern: /^\s*(?:\d+: )?(?:from )?(?<path>[^\s:]+):(?<line>\d+):in [`'"](?<symbol>[^'`"]+)['"]/ },
  // PHP:  #0 /srv/Cart.php(42): Shop\Cart->total()
  { pattern: /^\s*#\d+ (?<path>[^\s(]+)\((?<line>\d+)\): (?<symbol>[^(]+)/ },
  // gdb:  #1  0x0000 in total (cart=0x0) at src/cart.c:42
  { pattern: /^\s*#\d+\s+(?:0x[0-9a-f]+ in )?(?<symbol>[^\s(]+) ?\(.*\) at (?<path>\S+?):(?<line>\d+)\s*$/ },
  // Sanitizers:  #1 0x4f in total /src/cart.c:42:7
  { pattern: /^\s*#\d+ 0x[0-9a-f]+ in (?<symbol>\S+).* (?<path>\S+?\.\w+):(?<line>\d+)(?::\d+)?\s*$/ },
  // Elixir:  (shop 0.1.0) lib/shop/cart.ex:42: Shop.Cart.total/1
  { pattern: /^\s*\(\w+ [\d.]+\) (?<path>\S+\.exs?):(?<line>\d+): (?<symbol>\S+)/ },
]

// Lines around frames that say only that frames follow.
const HEADINGS =
  /^\s*(?:Traceback \(most recent call last\):|goroutine \d+ \[.*\]:|stack backtrace:|note: run with `?RUST_BACKTRACE.*|\.\.\. \d+ more|During handling of the above exception.*|The above exception was the direct cause.*|[~^\s]*\^[~^\s]*)$/
const CAUSE = /^\s*Caused by:/
// Longer lines are data, not frames; and a pattern never runs over more than this.
const MAX_LINE = 500

export function readStackTraces(text: string): StackTraces {
  const lines = text.split(/\r\n|\r|\n/)
  const traces: Trace[] = [emptyTrace(false)]
  const rest: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]! // i < length
    const read = line.length > MAX_LINE ? undefined : readFrame(line, rest.at(-1) ?? '')
    if (read === undefined) {
      if (CAUSE.test(line)) traces.push(emptyTrace(true))
      else if (HEADINGS.test(line)) traces.push(emptyTrace(false))
      if (!HEADINGS.test(line)) rest.push(line)
      continue
    }
    traces.at(-1)!.frames.push(read) // never empty
    if (read.hasSymbolAbove) rest.pop()
    const below = lines[i + 1]
    const isCode = below !== undefined && /^\s{3,}\S/.test(below) && readFrame(below, '') === undefined
    if (read.shape.hasCodeBelow === true && isCode) i++
  }
  return { frames: inOrder(traces), rest: rest.join('\n') }
}

interface ReadFrame extends Place {
  readonly shape: FrameShape
  readonly hasSymbolAbove: boolean
}

interface Trace {
  /** It is the reason of the one before. */
  readonly isCause: boolean
  readonly frames: ReadFrame[]
}

const emptyTrace = (isCause: boolean): Trace => ({ isCause, frames: [] })

function readFrame(line: string, before: string): ReadFrame | undefined {
  for (const shape of SHAPES) {
    const groups = shape.pattern.exec(line)?.groups
    if (groups === undefined) continue
    const above = shape.symbolBefore?.exec(before)?.groups?.['symbol']
    return {
      path: slashed(shape.toPath?.(groups) ?? groups['path'] ?? ''),
      line: Number(groups['line']),
      symbol: plainSymbol(groups['symbol'] ?? above ?? ''),
      shape,
      hasSymbolAbove: above !== undefined,
    }
  }
  return undefined
}

/** Deepest first: a cause before what it caused. */
function inOrder(traces: readonly Trace[]): readonly Place[] {
  const causes = traces.filter(({ isCause }) => isCause).reverse()
  const others = traces.filter(({ isCause }) => !isCause)
  return [...causes, ...others].flatMap(({ frames }) => {
    const isDeepestLast = frames.some(({ shape }) => shape.isDeepestLast === true)
    const sorted = isDeepestLast ? [...frames].reverse() : frames
    return sorted.map(({ path, line, symbol }): Place => ({ path, line, symbol }))
  })
}

/** "file:///C:\a\b.ts" -> C:/a/b.ts; "webpack://shop/./src/a.ts?1f" -> shop/./src/a.ts. */
export function slashed(path: string): string {
  return path
    .replace(/^(?:file|webpack|webpack-internal|https?|app):\/{2,3}/, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
}

/** The function's own name: "main.(*Cart).Total" -> Total; "Cart.total/1" -> total; "<module>" -> "". */
function plainSymbol(symbol: string): string {
  const bare = symbol
    .replace(/\[as [^\]]*\]/g, '')
    .replace(/::\{\{.*$|::h[0-9a-f]{16}$/, '')
    .replace(/<[^<>]*>/g, '')
    .replace(/\/\d+$/, '')
    .replace(/\.func\d+(?:\.\d+)*$/, '')
  return identifiersIn(bare).at(-1) ?? ''
}

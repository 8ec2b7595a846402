/** Lines as an editor counts them: "\n", "\r\n" and a lone "\r" each end one; a final break adds no line. */

const LONE_CR = /\r(?!\n)/g

export class LineTable {
  private constructor(
    readonly text: string,
    /** Offset where each line starts; line n is starts[n - 1]. */
    private readonly starts: readonly number[],
  ) {}

  static of(text: string): LineTable {
    const starts: number[] = []
    if (text === '') return new LineTable(text, starts)
    starts.push(0)
    if (text.includes('\r')) {
      for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length)
    } else {
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    }
    if (starts.at(-1) === text.length) starts.pop()
    return new LineTable(text, starts)
  }

  get count(): number {
    return this.starts.length
  }

  /** Offset of the first character of a line (from 1); one past the last line gives the text's length. */
  startOf(line: number): number {
    return this.starts[line - 1] ?? this.text.length
  }

  /** Line (from 1) an offset lies on; the end of the text lies on the last line. */
  lineAt(offset: number): number {
    let low = 0
    let high = this.starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.starts[middle] ?? Infinity) <= offset) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The lines from..to (both included) with their breaks, exactly as in the file. */
  slice(from: number, to: number): string {
    return this.text.slice(this.startOf(from), this.startOf(to + 1))
  }

  /** Characters of the lines from..to. */
  chars(from: number, to: number): number {
    return this.startOf(to + 1) - this.startOf(from)
  }

  isBlank(line: number): boolean {
    return this.indentOf(line) === Infinity
  }

  /** Columns before the first visible character, a tab counting 4; Infinity for a blank line. */
  indentOf(line: number): number {
    const end = this.startOf(line + 1)
    let columns = 0
    for (let at = this.startOf(line); at < end; at++) {
      const code = this.text.charCodeAt(at)
      if (code === 9) columns += 4
      else if (code === 32) columns++
      else if (code !== 10 && code !== 13 && code !== 12 && code !== 0xfeff) return columns
    }
    return Infinity
  }
}

/** The same text, same length, with lone "\r" as "\n": parsers know no other end of a line. */
export function withUnixBreaks(text: string): string {
  return text.includes('\r') ? text.replace(LONE_CR, '\n') : text
}

/**
 * What a repository says, made harmless for a terminal: a path, a name or a line of code may hold escape sequences, and
 * characters that turn the reading direction around. They are shown, not obeyed.
 */

// Controls (C0, DEL, C1), and what reorders text or breaks lines without being one.
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
// Lines and tabs of an excerpt are its layout.
const CONTROLS_BUT_LAYOUT = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
// What JSON leaves as it is: DEL and C1, which terminals obey.
const NOT_ESCAPED_IN_JSON = /[\u007f-\u009f]/g

/** Every control character as a picture of it, or as its number: one line stays one line. */
export function visible(text: string): string {
  return text.replace(CONTROLS, picture)
}

/** The same for text of several lines. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS_BUT_LAYOUT, picture)
}

/** The same JSON value, without a character that a terminal obeys. */
export function visibleJson(json: string): string {
  return json.replace(
    NOT_ESCAPED_IN_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A value with every text in it made visible. */
export function allVisible<T>(value: T): T {
  return shown(value) as T
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, shown(held)]))
}

function picture(control: string): string {
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code) // \u241b stands for escape
  if (code === 0x7f) return '\u2421'
  return codePoint(control)
}

/** The number of a character, as Unicode writes it. */
export function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

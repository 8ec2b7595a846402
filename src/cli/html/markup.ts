/**
 * Writing HTML: a template whose every value is text unless it is markup itself. There is no other way to make markup
 * from a value, so what stands in a repository stays text wherever it is put (between tags or in a quoted attribute).
 */

declare const brand: unique symbol
/** HTML as it will be written out. */
export type Markup = string & { readonly [brand]: 'Markup' }

/** Strings and numbers are text; false stands for nothing. */
export type Content = Text | Safe | false | readonly Content[]
type Text = string | number
/** Markup that is told from text at run time, which a branded string is not. */
export interface Safe {
  readonly markup: Markup
}

/**
 * Markup with values filled in; lists one after the other. Attributes that take values must be quoted. Line breaks of
 * the template stand for blanks, as in HTML; where they count (in <pre>, in <style>) they come in as values.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Safe {
  const written = parts.map(
    (part, i) => part.replace(BREAK, '\n') + (i < values.length ? writtenOut(values[i]!) : ''),
  ) // i is an index
  return { markup: written.join('') as Markup }
}

function writtenOut(content: Content): string {
  if (content === false) return ''
  if (typeof content === 'string' || typeof content === 'number') return asText(String(content))
  if ('markup' in content) return content.markup
  return content.map(writtenOut).join('')
}

// A line break and what indents the next line in the source.
const BREAK = /\s*\n\s*/g

/** Only for what hone itself has written, e.g. its style sheet. */
export function trusted(markup: string): Safe {
  return { markup: markup as Markup }
}

/** A line break that counts. */
export const LINE_END = trusted('\n')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function asText(text: string): string {
  return shownControls(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!) // one of the five
}

// Everything that is not seen and changes what is: control characters but tab and line feed, marks that turn the
// direction of writing (a line of code would read otherwise than it runs), what is no character at all.
const UNSEEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\p{Surrogate}\p{Noncharacter_Code_Point}]/gu
const DELETE = 0x7f
const PICTURES_FROM = 0x2400 // of the control characters of ASCII, in their order; of DEL apart
const PICTURE_OF_DELETE = '\u2421'

/** The text with what cannot be seen made visible: pictures of ASCII's control characters, code points of others. */
export function shownControls(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code === DELETE) return PICTURE_OF_DELETE
    if (code < DELETE) return String.fromCharCode(PICTURES_FROM + code)
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

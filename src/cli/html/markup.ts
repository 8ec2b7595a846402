/**
 * Writing HTML: a template whose every value is text unless it is markup itself. There is no other way to make markup
 * from a value, so what stands in a repository stays text wherever it is put (between tags or in a quoted attribute).
 */

import { codePoint, visibleLines } from '../visible.js'

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

// What is no character: halves of one, and what Unicode will never use. A page may not hold them.
const NO_CHARACTER = /[\p{Surrogate}\p{Noncharacter_Code_Point}]/gu

/** The text with what cannot be seen made visible, as for a terminal; tabs and line feeds are left. */
export function shownControls(text: string): string {
  return visibleLines(text).replace(NO_CHARACTER, codePoint)
}

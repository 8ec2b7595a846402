/** Checking a tool's arguments against its own schema, so that what is declared is what is checked. */
import { HoneError } from '../errors.js'

/** The part of JSON Schema that every client understands: one type each, no unions, no references. */
export type Schema =
  | {
      readonly type: 'string'
      readonly description?: string
      readonly minLength?: number
      readonly maxLength: number
    }
  | {
      readonly type: 'integer'
      readonly description?: string
      readonly minimum: number
      readonly maximum: number
    }
  | { readonly type: 'boolean'; readonly description?: string }
  | {
      readonly type: 'array'
      readonly description?: string
      readonly items: Schema
      readonly maxItems: number
    }
  | ObjectSchema

export interface ObjectSchema {
  readonly type: 'object'
  readonly description?: string
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** Throws USAGE that names the argument, what it is and what it takes. */
export function checkArguments(value: unknown, schema: ObjectSchema): void {
  check(value, schema, '')
}

function check(value: unknown, schema: Schema, at: string): void {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') throw wrong(at, value, 'a text')
      if (value.length < (schema.minLength ?? 0)) throw wrong(at, value, 'a text that is not empty')
      if (value.length > schema.maxLength)
        throw wrong(at, value, `a text of at most ${schema.maxLength} characters`)
      return
    case 'integer':
      if (!Number.isInteger(value) || Number(value) < schema.minimum || Number(value) > schema.maximum)
        throw wrong(at, value, `a whole number from ${schema.minimum} to ${schema.maximum}`)
      return
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(at, value, 'true or false')
      return
    case 'array':
      if (!Array.isArray(value) || value.length > schema.maxItems)
        throw wrong(at, value, `a list of at most ${schema.maxItems}`)
      value.forEach((item, i) => {
        check(item, schema.items, `${at}[${i}]`)
      })
      return
    case 'object':
      checkObject(value, schema, at)
  }
}

function checkObject(value: unknown, schema: ObjectSchema, at: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(at, value, 'an object')
  const held = value as Readonly<Record<string, unknown>>
  const prefix = at === '' ? '' : `${at}.`
  for (const name of schema.required)
    if (!Object.hasOwn(held, name)) throw new HoneError('USAGE', `${prefix}${name} is missing`)
  for (const [name, item] of Object.entries(held)) {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (known === undefined) {
      const names = Object.keys(schema.properties).join(', ')
      throw new HoneError('USAGE', `${prefix}${shown(name)} is unknown; the arguments are ${names}`)
    }
    check(item, known, `${prefix}${name}`)
  }
}

function wrong(at: string, value: unknown, takes: string): HoneError {
  return new HoneError(
    'USAGE',
    `${at === '' ? 'the arguments are' : `${at} is`} ${shown(value)}; it takes ${takes}`,
  )
}

// Enough to recognise one's own value by.
const SHOWN_CHARACTERS = 60

/** One's own value in short; what is nested is not written out, for it may be nested without end. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text
}

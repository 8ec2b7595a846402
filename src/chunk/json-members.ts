/** Where the top-level members of a JSON text stand, found in one pass; comments are skipped, errors forgiven. */

export interface JsonMember {
  readonly name: string
  /** Offset of the key's opening quote. */
  readonly at: number
}

export interface JsonElement {
  /** Offsets of its first and its last character. */
  readonly start: number
  readonly end: number
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|[{}[\]:,]/g

/** The keys of the object that is the text. */
export function jsonMembers(text: string): readonly JsonMember[] {
  const members: JsonMember[] = []
  let depth = 0
  let last: { text: string; at: number } | undefined
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ':' && depth === 1 && last?.text.startsWith('"') === true)
      members.push({ name: last.text.slice(1, -1), at: last.at })
    last = { text: token, at }
  }
  return members
}

/** The objects in the array that is the value of a top-level key. */
export function jsonElements(text: string, key: string): readonly JsonElement[] {
  const from = jsonMembers(text).find(({ name }) => name === key)?.at
  const elements: JsonElement[] = []
  let depth = 0
  let start = 0
  if (from === undefined) return elements
  for (const { 0: token, index } of text.slice(from).matchAll(TOKEN)) {
    const at = from + index
    if (token === '{' || token === '[') depth++
    if (token === '{' && depth === 2) start = at
    if (token === '}' && depth === 2) elements.push({ start, end: at })
    if (token === '}' || token === ']') depth--
    if (depth <= 0 && token === ']') break
  }
  return elements
}

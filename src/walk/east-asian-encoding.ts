/**
 * Tells Chinese, Japanese and Korean text in the encodings from before Unicode from Latin-1, by what is rare in the one
 * and common in the other. Where it is not sure it says nothing (docs/decisions/0021-east-asian-encodings.md).
 */

export type EastAsian = 'shift_jis' | 'euc-jp' | 'euc-kr' | 'gb18030'

// Fewer characters tell nothing: "ÄÖ" is one.
const LEAST_CHARACTERS = 4
// Chinese, too, has characters from the rows of Hangul, three in five: so many in a row are one in five hundred.
const LEAST_KOREAN = 12
// A rare name or sign is written outside of the common rows.
const COMMON_SHARE = 0.9
// Of running Japanese text half is kana; names of functions and lists of words have less.
const KANA_SHARE = 0.2
// Half-width katakana are single bytes, as the letters of Latin-1 are.
const MAX_SINGLE_SHARE = 0.1
// Bytes below the letters of Latin-1 (signs there) are a third of East Asian text; capitals in a table have none.
const SIGN_SHARE = 0.125
const FIRST_LETTER = 0xc0

/** The text and its encoding, of bytes that are no UTF-8; undefined where they may as well be Latin-1. */
export function decodedEastAsian(
  bytes: Uint8Array,
): { readonly text: string; readonly encoding: EastAsian } | undefined {
  const encoding = isShiftJis(bytes) ? 'shift_jis' : eucEncoding(bytes)
  const text = encoding === undefined ? undefined : strictlyDecoded(bytes, encoding)
  return encoding === undefined || text === undefined ? undefined : { text, encoding }
}

function strictlyDecoded(bytes: Uint8Array, encoding: EastAsian): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined // bytes that the encoding has not, or a node without its table
  }
}

/** First and second byte of a character. */
type Pair = readonly [lead: number, trail: number]

/** Japanese as on Windows: kana, whose first bytes are control characters in Latin-1. */
function isShiftJis(bytes: Uint8Array): boolean {
  let [pairs, kana, singles] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!
    if (lead < 0x80) continue
    if (lead >= 0xa0 && lead < 0xe0) {
      singles++
      continue
    }
    const trail = bytes[++at] ?? 0
    if (trail < 0x40) return false
    pairs++
    const isHiragana = lead === 0x82 && trail >= 0x9f && trail <= 0xf1
    const isKatakana = lead === 0x83 && trail <= 0x96
    if (isHiragana || isKatakana) kana++
  }
  return (
    pairs >= LEAST_CHARACTERS && kana >= pairs * KANA_SHARE && singles <= (pairs + singles) * MAX_SINGLE_SHARE
  )
}

/** The encodings that write a character as two bytes beyond ASCII, told apart by the rows (first bytes) they use. */
function eucEncoding(bytes: Uint8Array): Exclude<EastAsian, 'shift_jis'> | undefined {
  const pairs = pairsOf(bytes)
  if (pairs === undefined || pairs.length < LEAST_CHARACTERS) return undefined
  const share = (holds: (pair: Pair) => boolean): number => pairs.filter(holds).length / pairs.length
  const signs = pairs.flat().filter((byte) => byte >= 0xa1 && byte < FIRST_LETTER).length
  if (signs < pairs.length * 2 * SIGN_SHARE) return undefined
  const isKana = share(isIn(0xa4, 0xa5)) >= KANA_SHARE
  if (isKana) return share(isIn(0xa1, 0xa8)) + share(isIn(0xb0, 0xf4)) >= COMMON_SHARE ? 'euc-jp' : undefined
  const [punctuation, hangul] = [share(isIn(0xa1, 0xa9)), share(isIn(0xb0, 0xc8))]
  if (punctuation + share(isIn(0xb0, 0xd7)) < COMMON_SHARE || hangul === 0) return undefined
  if (punctuation + hangul < COMMON_SHARE) return 'gb18030'
  if (share(isIn(0xc9, 0xd7)) > 0) return pairs.length >= LEAST_KOREAN ? undefined : 'gb18030'
  return hangul * pairs.length >= LEAST_KOREAN ? 'euc-kr' : undefined
}

/** In a row of the given ones, both bytes beyond ASCII. */
function isIn(from: number, to: number): (pair: Pair) => boolean {
  return ([lead, trail]) => lead >= from && lead <= to && trail >= 0xa1
}

/** The characters beyond ASCII; undefined where a byte beyond it stands before one that none of the encodings takes. */
function pairsOf(bytes: Uint8Array): readonly Pair[] | undefined {
  const pairs: Pair[] = []
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!
    if (lead < 0x80) continue
    const trail = bytes[++at] ?? 0
    if (trail < 0x40) return undefined
    pairs.push([lead, trail])
  }
  return pairs
}

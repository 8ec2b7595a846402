/** The table of languages: one row each. */
import { JAVASCRIPT, TSX, TYPESCRIPT } from './ecmascript.js'
import { COMMENT_ROWS } from './comment-rows.js'
import { DATA_ROWS } from './data.js'
import { MARKDOWN, RST } from './documents.js'
import { MARKUP_ROWS } from './markup.js'
import { NOTEBOOK } from './notebook.js'
import { SQL } from './sql.js'
import { BASH, BATS } from './bash.js'
import { C, CPP } from './c-family.js'
import { C_SHARP } from './c-sharp.js'
import { ELIXIR } from './elixir.js'
import { GO } from './go.js'
import { HASKELL } from './haskell.js'
import { JAVA } from './java.js'
import { KOTLIN } from './kotlin.js'
import { LUA } from './lua.js'
import { PHP } from './php.js'
import { PYTHON } from './python.js'
import { RUBY } from './ruby.js'
import { RUST } from './rust.js'
import { SCALA } from './scala.js'
import { ZIG } from './zig.js'
import type { LanguageRow } from './row.js'

export const TEXT: LanguageRow = { name: 'text', comments: { line: [], block: [], strings: [] } }

const ROWS: readonly LanguageRow[] = [
  TYPESCRIPT,
  TSX,
  JAVASCRIPT,
  PYTHON,
  GO,
  JAVA,
  RUST,
  C,
  CPP,
  RUBY,
  PHP,
  C_SHARP,
  BASH,
  BATS,
  KOTLIN,
  SCALA,
  ELIXIR,
  HASKELL,
  LUA,
  ZIG,
  MARKDOWN,
  RST,
  SQL,
  NOTEBOOK,
  ...DATA_ROWS,
  ...MARKUP_ROWS,
  ...COMMENT_ROWS,
  TEXT,
]

const BY_NAME: ReadonlyMap<string, LanguageRow> = new Map(ROWS.map((row) => [row.name, row]))

export const LANGUAGE_NAMES: readonly string[] = ROWS.map((row) => row.name)

/** The row of a language; the row of plain text for an unknown name. */
export function rowOf(language: string): LanguageRow {
  return BY_NAME.get(language) ?? TEXT
}

/** Which files a file names where it imports, uses, requires or includes: by text, the same rule for every language. */

// How lines begin that bring names in from elsewhere; "} from './a'" ends a list over several lines.
const IMPORT =
  /^\s*(?:import|from|export\b.*\bfrom|use|pub use|using|open|alias|require|require_relative|include|#\s*include|load|source|\.)\b|^\s*\}?\s*from\s|\b(?:require|import)\s*\(|@import\(/

// File names that stand for their folder.
const FOLDER_FILES: ReadonlySet<string> = new Set([
  'index',
  'mod',
  'lib',
  '__init__',
  'init',
  'main',
  'package',
])

/** The lines that bring names in. */
export function importLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => IMPORT.test(line))
}

/** Whether one of the import lines names the file at `path`: by its name without ending, or its folder's where that is what is imported. */
export function mentions(imports: readonly string[], path: string): boolean {
  const parts = path.split('/')
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '')
  const name = FOLDER_FILES.has(stem) ? (parts.at(-2) ?? stem) : stem
  const word = new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`)
  return imports.some((line) => word.test(line))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

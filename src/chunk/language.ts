/** Which language a file is in: by its name, its extension, its shebang; `.h` by a look inside. */
import { BY_EXTENSION, BY_FILE_NAME, BY_INTERPRETER } from './languages/names.js'

const CPP_HEADER =
  /^\s*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|public:|private:|protected:)|\w::\w|\bconstexpr\b/m

const OBJECTIVE_C_HEADER = /^\s*@(?:interface|protocol|class)\s+\w/m
const COMMENTS = /\/\*[^]*?\*\/|\/\/[^\n\r]*/g

/**
 * The language of a path; 'text' where none is known. `text` is the file's text or its beginning:
 * its first line settles files without a telling name, all of it settles `.h`.
 */
export function languageOf(path: string, text: string): string {
  const fileName = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const byName = BY_FILE_NAME.get(fileName) ?? BY_FILE_NAME.get(fileName.replace(/\..*$/, '.*'))
  if (byName !== undefined) return byName
  const dot = fileName.lastIndexOf('.')
  const extension = dot === -1 ? '' : fileName.slice(dot + 1)
  if (extension === 'h') return headerLanguage(text)
  const byExtension = BY_EXTENSION.get(extension)
  return byExtension ?? byShebang(text) ?? 'text'
}

/** Words in comments say nothing: "class of service" is no class. */
function headerLanguage(text: string): string {
  const code = text.replace(COMMENTS, '')
  if (OBJECTIVE_C_HEADER.test(code)) return 'objc'
  return CPP_HEADER.test(code) ? 'cpp' : 'c'
}

function byShebang(text: string): string | undefined {
  if (!text.startsWith('#!')) return undefined
  const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const interpreter =
    /^#!\s*(?:\S*\/env\s+(?:-S\s+)?(?:\w+=\S*\s+)*)?(?:\S*\/)?([\w+-]+)/.exec(firstLine)?.[1] ?? ''
  return BY_INTERPRETER.get(interpreter) ?? BY_INTERPRETER.get(interpreter.replace(/[\d.]+$/, ''))
}

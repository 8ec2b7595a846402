/**
 * C and C++ as their grammars can read them: macros that stand where the language knows no word become blanks.
 * Approximate by design: a macro is told by its capitals and its place. Same length, so that offsets stay.
 */

// Two capitals at least: `T` and `I` are types.
const MACRO = '[A-Z][A-Z0-9_]*[A-Z0-9]'
const ARGUMENTS = '(?:\\([^()\\n]*(?:\\([^()\\n]*\\)[^()\\n]*)*\\))?'
const CALLED = MACRO + ARGUMENTS
const TEMPLATE = '(?:template[ \\t]*<[^;{}\\n]*>[ \\t]*)?'
const SPECIFIERS = '(?:(?:static|inline|constexpr|explicit|friend|virtual|extern|typedef)[ \\t]+)*'
const QUALIFIERS = `(?:(?:const|static|inline|constexpr|explicit|virtual|unsigned|struct|enum|${CALLED})[ \\t]+)*`
const TYPE = '[a-z_A-Z][\\w:]*(?:<[^;{}()\\n]*>)?[*&]*[ \\t]+[*&]*'
const DECLARED = '(?:operator\\b|~?\\w+(?:::~?\\w+)*[ \\t]*[[(;={])'

/** `CURL_EXTERN CURLcode f(`, `template <class T> FMT_CONSTEXPR auto f(`: before a type and a name. */
const LEADING = new RegExp(
  `^([ \\t]*${TEMPLATE}${SPECIFIERS})(${CALLED})(?=[ \\t]+${QUALIFIERS}${TYPE}${DECLARED})`,
  'gm',
)
/** `FMT_CONSTEXPR size_padding(int n)`, `FMT_EXPORT template <class T>`: told from a type by its words, or by what follows. */
const SPECIFIER_WORD =
  '(?:[A-Z0-9]+_)*(?:CONSTEXPR|INLINE|API|EXPORT|EXTERN|PUBLIC|NODISCARD|NORETURN|DEPRECATED|FORCEINLINE|UNUSED)[A-Z0-9]*(?:_[A-Z0-9]+)*'
const SPECIFYING = new RegExp(
  `^([ \\t]*${TEMPLATE}${SPECIFIERS})(${SPECIFIER_WORD}${ARGUMENTS}(?=[ \\t]+~?\\w+[ \\t]*\\()|${CALLED}(?=[ \\t]+(?:template|class|struct|using|namespace|enum|union)\\b))`,
  'gm',
)
/** `class FMT_API buffer {`: between the keyword and the name. */
const IN_HEAD = new RegExp(
  `(\\b(?:class|struct|union|enum)[ \\t]+)(${CALLED})(?=[ \\t]+\\w+[ \\t]*(?:final[ \\t]*)?(?:[:{]|$))`,
  'gm',
)
/** `FMT_BEGIN_NAMESPACE` on a line of its own. */
const ALONE = new RegExp(`^([ \\t]*)(${CALLED})(?=[ \\t]*(?://.*)?$)`, 'gm')
const ENDS_SOMETHING = /(?:[;{}>:]|\*\/|^[ \t]*(?:#|\/\/).*|\/\/[^\n]*)\s*$/
// A "{" behind makes it the head of a function, `TEST(Suite, Case)`.
const GOES_ON = /^\s*[-+*/%&|^=<>?:,.;)\]({]/
const COMMENTS = /^(?:\s*(?:\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)))+/
// 200 characters show the line before and the beginning of the line behind.
const SEEN_CHARS = 200

export function withoutMacros(text: string): string {
  // Macros in a row are met one by one: the last of them first.
  const readable = [LEADING, LEADING, SPECIFYING, IN_HEAD].reduce(blanked, text)
  return readable.replace(ALONE, (whole: string, before: string, macro: string, at: number) => {
    const isStatement = standsAlone(readable, { start: at, end: at + whole.length })
    return isStatement ? before + ' '.repeat(macro.length) : whole
  })
}

function blanked(text: string, place: RegExp): string {
  return text.replace(place, (_, before: string, macro: string) => before + ' '.repeat(macro.length))
}

/** False within an expression, a list, or the head of a function. */
function standsAlone(text: string, { start, end }: { start: number; end: number }): boolean {
  const above = text.slice(Math.max(0, start - SEEN_CHARS), start).trimEnd()
  const last = above.slice(above.lastIndexOf('\n') + 1)
  const isAfterEnd = above === '' || ENDS_SOMETHING.test(last) || new RegExp(`^[ \\t]*${CALLED}$`).test(last)
  return (
    isAfterEnd &&
    !last.endsWith('\\') &&
    !GOES_ON.test(text.slice(end, end + SEEN_CHARS).replace(COMMENTS, ''))
  )
}

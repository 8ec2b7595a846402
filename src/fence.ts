/** Code in markdown: a fence that the code cannot close. */

/** The code between fences, with the language its file ending suggests; a line each. */
export function fenced(path: string, code: string): readonly string[] {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${/\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? ''}`, code, fence]
}

/** A long task repeated in an answer: its beginning. */

// A task is repeated so that the answer can be told from others; its beginning does that.
const SHOWN = 200

/** The beginning of a task, with a mark where there is more; never half a character. */
export function beginningOf(task: string): string {
  if (task.length <= SHOWN) return task
  const start = task.slice(0, SHOWN)
  return `${/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start}...`
}

/** Two runs side by side: for every set and method in both, the paired difference and whether it is significant. */
import type { TaskValues } from './report.js'
import { pairedDifference, significanceLine, type ByRepository } from './statistics.js'

/** One line each set and method that both have; `b` minus `a`. */
export function comparison(a: TaskValues, b: TaskValues): readonly string[] {
  return Object.keys(a).flatMap((set) =>
    Object.keys(a[set] ?? {}).flatMap((method) => {
      const before = a[set]?.[method]
      const after = b[set]?.[method]
      if (before === undefined || after === undefined || Object.keys(before).length === 0) return []
      return [`${set}, ${method}: ${significanceLine(pairedDifference(toMap(before), toMap(after)))}`]
    }),
  )
}

/** The same within one run: `method` minus each of `baselines`. */
export function against(
  values: TaskValues,
  options: { readonly method: string; readonly baselines: readonly string[] },
): readonly string[] {
  return Object.entries(values).flatMap(([set, methods]) => {
    const own = methods[options.method]
    if (own === undefined) return []
    return options.baselines.flatMap((baseline) => {
      const other = methods[baseline]
      if (other === undefined || Object.keys(other).length === 0) return []
      return [
        `${set}, ${options.method} against ${baseline}: ${significanceLine(pairedDifference(toMap(other), toMap(own)))}`,
      ]
    })
  })
}

function toMap(values: Readonly<Record<string, readonly number[]>>): ByRepository {
  return new Map(Object.entries(values))
}

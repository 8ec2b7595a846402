/** "2.1 MB > 1 MB": a size and the limit it breaks, for people. */
export function sizeDetail(bytes: number, maxFileBytes: number): string {
  return `${readable(bytes)} > ${readable(maxFileBytes)}`
}

function readable(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${Number(value.toFixed(1))} ${unit}`
}

/** Two kinds of SVG chart: bars with intervals, and predicted against true share. Pure; no scripts, no fonts, no links. */
import type { Calibration } from './calibration.js'
import type { Row } from './summary.js'

const INK = '#1f2933'
const FAINT = '#cbd2d9'
const BAR = '#9fb3c8'
const OWN = '#d9822b'

/** First metric of every row that has figures, with its 95 % interval. */
export function barChart(title: string, rows: readonly Row[]): string {
  const bars = rows.flatMap((row) => {
    const value = Object.values(row.metrics)[0]
    return value === undefined ? [] : [{ title: row.title, isOwn: row.method.startsWith('hone'), value }]
  })
  const left = 330
  const scale = 380
  const x = (share: number): number => left + share * scale
  const height = 50 + bars.length * 26 + 24
  const marks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${x(share)}" y1="40" x2="${x(share)}" y2="${height - 24}" stroke="${FAINT}"/>` +
      `<text x="${x(share)}" y="${height - 8}" text-anchor="middle">${share}</text>`,
  )
  const drawn = bars.map(({ title: name, isOwn, value }, i) => {
    const y = 46 + i * 26
    return (
      `<text x="${left - 8}" y="${y + 13}" text-anchor="end">${escaped(name)}</text>` +
      `<rect x="${left}" y="${y}" width="${fixed(value.mean * scale)}" height="18" fill="${isOwn ? OWN : BAR}"/>` +
      `<line x1="${fixed(x(value.low))}" y1="${y + 9}" x2="${fixed(x(value.high))}" y2="${y + 9}" stroke="${INK}"/>` +
      `<text x="${fixed(x(value.high) + 6)}" y="${y + 13}">${value.mean.toFixed(3)}</text>`
    )
  })
  return svg(left + scale + 70, height, [
    `<text x="12" y="22" font-weight="bold">${escaped(title)}</text>`,
    ...marks,
    ...drawn,
  ])
}

/** A point each bin, its area by the number of files; on the diagonal a probability is true. */
export function calibrationChart(title: string, { bins, error }: Calibration): string {
  const size = 320
  const at = (share: number): number => 50 + share * size
  const up = (share: number): number => 40 + (1 - share) * size
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const points = bins
    .filter(({ count }) => count > 0)
    .map(({ predicted, actual, count }) => {
      const radius = 3 + 9 * Math.sqrt(count / most)
      return `<circle cx="${fixed(at(predicted))}" cy="${fixed(up(actual))}" r="${fixed(radius)}" fill="${OWN}" fill-opacity="0.8"/>`
    })
  const marks = [0, 0.5, 1].map(
    (share) =>
      `<text x="${at(share)}" y="${up(0) + 18}" text-anchor="middle">${share}</text>` +
      `<text x="42" y="${up(share) + 4}" text-anchor="end">${share}</text>`,
  )
  return svg(size + 90, size + 100, [
    `<text x="12" y="22" font-weight="bold">${escaped(title)}</text>`,
    `<rect x="${at(0)}" y="${up(1)}" width="${size}" height="${size}" fill="none" stroke="${FAINT}"/>`,
    `<line x1="${at(0)}" y1="${up(0)}" x2="${at(1)}" y2="${up(1)}" stroke="${FAINT}"/>`,
    ...marks,
    ...points,
    `<text x="${at(0.5)}" y="${up(0) + 40}" text-anchor="middle">predicted; up: true share; expected error ${error.toFixed(3)}</text>`,
  ])
}

function svg(width: number, height: number, parts: readonly string[]): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="sans-serif" font-size="12" fill="${INK}">\n` +
    `<rect width="100%" height="100%" fill="#ffffff"/>\n${parts.join('\n')}\n</svg>\n`
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function fixed(value: number): string {
  return value.toFixed(1)
}

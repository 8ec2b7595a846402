/** Growth as a picture: each figure over the number of files, both by powers of ten, relative to its smallest size. */
import type { Measured } from './main.js'
import { FIGURES } from './table.js'

const WIDTH = 720
const HEIGHT = 420
const MARGIN = { left: 60, right: 220, top: 20, bottom: 50 }

const LINES = FIGURES.flatMap(({ name, colour, of }) => (colour === undefined ? [] : [{ name, colour, of }]))

export function growthChart(sizes: readonly Measured[]): string {
  const first = sizes[0]
  const last = sizes.at(-1)
  if (first === undefined || last === undefined) return ''
  const decadesX = Math.max(1, Math.ceil(Math.log10(last.files / first.files)))
  const plot = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom }
  const x = (files: number): number => MARGIN.left + (Math.log10(files / first.files) / decadesX) * plot.width
  const y = (times: number): number =>
    MARGIN.top + plot.height - (Math.log10(Math.max(1, times)) / decadesX) * plot.height
  const grid = Array.from({ length: decadesX + 1 }, (_, d) => {
    const [gx, gy] = [x(first.files * 10 ** d), y(10 ** d)]
    return `<path d="M${gx} ${MARGIN.top}V${MARGIN.top + plot.height}M${MARGIN.left} ${gy}H${MARGIN.left + plot.width}" stroke="#ddd"/>
<text x="${gx}" y="${HEIGHT - 28}" text-anchor="middle">${(first.files * 10 ** d).toLocaleString('en')}</text>
<text x="${MARGIN.left - 8}" y="${gy + 4}" text-anchor="end">${10 ** d}x</text>`
  })
  const lines = LINES.map(({ name, colour, of }, i) => {
    const points = sizes.map((m) => `${x(m.files).toFixed(1)},${y(of(m) / of(first)).toFixed(1)}`)
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>
<text x="${WIDTH - MARGIN.right + 12}" y="${MARGIN.top + 14 + 20 * i}" fill="${colour}">${name}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>
${grid.join('\n')}
${lines.join('\n')}
<text x="${MARGIN.left + plot.width / 2}" y="${HEIGHT - 8}" text-anchor="middle">files (each figure relative to the smallest repository)</text>
</svg>
`
}

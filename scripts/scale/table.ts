/** Growth in figures: one row a size, and the slope of each figure over the number of chunks, both as logarithms. */
import type { Measured } from './main.js'

interface Figure {
  readonly name: string
  readonly of: (m: Measured) => number
  /** Digits behind the point. */
  readonly digits: number
}

/** What is reported of each size, and drawn where it has a colour. */
export const FIGURES: readonly (Figure & { readonly colour?: string })[] = [
  { name: 'chunks', of: (m) => m.chunks, digits: 0 },
  { name: 'text MB', of: (m) => m.textBytes / 1e6, digits: 1 },
  { name: 'index MB', of: (m) => m.indexBytes / 1e6, digits: 1, colour: '#2ca02c' },
  { name: 'index / text', of: (m) => m.indexBytes / m.textBytes, digits: 2 },
  { name: 'build, processor s', of: (m) => m.build.cpuSeconds, digits: 1, colour: '#1f77b4' },
  { name: 'build, clock s', of: (m) => m.build.seconds, digits: 0 },
  { name: 'peak MB of building', of: (m) => m.buildPeakMb, digits: 0, colour: '#d62728' },
  { name: 'nothing changed, processor s', of: (m) => m.noop.cpuSeconds, digits: 2, colour: '#8c564b' },
  { name: 'one file changed, processor s', of: (m) => m.oneFile.cpuSeconds, digits: 2 },
  { name: 'open and first query, ms', of: (m) => m.ask.coldMs, digits: 0 },
  { name: 'query p50, 1 cycle, ms', of: (m) => m.ask.oneCycle.p50Ms, digits: 1 },
  { name: 'query p95, 1 cycle, ms', of: (m) => m.ask.oneCycle.p95Ms, digits: 1 },
  { name: 'query p50, 3 cycles, ms', of: (m) => m.ask.threeCycles.p50Ms, digits: 1 },
  { name: 'query p95, 3 cycles, ms', of: (m) => m.ask.threeCycles.p95Ms, digits: 1 },
  {
    name: 'query p95, 3 cycles, processor ms',
    of: (m) => m.ask.threeCycles.p95CpuMs,
    digits: 1,
    colour: '#9467bd',
  },
  { name: 'peak MB of asking', of: (m) => m.ask.peakMb, digits: 0, colour: '#e377c2' },
  { name: '`hone query`, ms', of: (m) => m.queryCommandMs, digits: 0 },
  { name: '`hone index`, nothing changed, ms', of: (m) => m.noopCommandMs, digits: 0 },
  { name: 'load of the machine, before', of: (m) => m.load[0], digits: 1 },
  { name: 'load of the machine, after', of: (m) => m.load[1], digits: 1 },
]

export function growthTable(sizes: readonly Measured[]): string {
  const heads = ['files', ...sizes.map(({ files }) => files.toLocaleString('en')), 'grows as chunks to the']
  const rows = FIGURES.map((figure) => [
    figure.name,
    ...sizes.map((m) => figure.of(m).toFixed(figure.digits)),
    slope(sizes, figure),
  ])
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  return line(heads) + line(heads.map(() => '---:')) + rows.map(line).join('')
}

/** Exponent of growth by least squares over all sizes: 1 is linear, 0 is no growth. */
function slope(sizes: readonly Measured[], { of }: Figure): string {
  const points = sizes.map((m) => [Math.log(m.chunks), Math.log(of(m))] as const)
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const covariance = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  const variance = points.reduce((sum, [a]) => sum + (a - x) ** 2, 0)
  return variance === 0 ? '' : (covariance / variance).toFixed(2)
}

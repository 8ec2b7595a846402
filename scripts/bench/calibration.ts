/** Whether predicted probabilities are true: bins of equal width and the expected calibration error. Pure. */

export interface Prediction {
  readonly predicted: number
  readonly isRelevant: boolean
}

export interface CalibrationBin {
  /** Lower border; the last bin includes 1. */
  readonly from: number
  readonly to: number
  readonly count: number
  /** Mean predicted probability and true share; 0 in an empty bin. */
  readonly predicted: number
  readonly actual: number
}

export interface Calibration {
  readonly bins: readonly CalibrationBin[]
  /** Mean distance of predicted and true share, bins weighted by count (Naeini et al. 2015); 0 without predictions. */
  readonly error: number
  readonly count: number
}

export function calibration(predictions: readonly Prediction[], bins = 10): Calibration {
  const members = Array.from({ length: bins }, (): Prediction[] => [])
  for (const prediction of predictions) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(prediction.predicted * bins)))
    members[bin]?.push(prediction)
  }
  const filled = members.map((inside, i) => toBin(inside, i / bins, (i + 1) / bins))
  const count = predictions.length
  const distance = filled.reduce((sum, bin) => sum + bin.count * Math.abs(bin.predicted - bin.actual), 0)
  return { bins: filled, error: count === 0 ? 0 : distance / count, count }
}

function toBin(inside: readonly Prediction[], from: number, to: number): CalibrationBin {
  const count = inside.length
  const share = (sum: number): number => (count === 0 ? 0 : sum / count)
  return {
    from,
    to,
    count,
    predicted: share(inside.reduce((sum, { predicted }) => sum + predicted, 0)),
    actual: share(inside.filter(({ isRelevant }) => isRelevant).length),
  }
}

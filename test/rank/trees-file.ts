/** A file of trees as scripts/train-relevance/train.py writes it, from trees written down by hand. */
import type { TreesHead } from '../../src/rank/trees.js'

export type Node =
  | { readonly value: number; readonly rows: number }
  | { readonly signal: number; readonly border: number; readonly left: Node; readonly right: Node }

interface Row {
  border: number
  mean: number
  right: number
  signal: number
}

export function treesFile(head: TreesHead, roots: readonly Node[]): Uint8Array {
  const rows: Row[] = []
  const add = (node: Node): number => {
    const at = rows.length
    const row = { border: 0, mean: meanOf(node), right: at, signal: 0 }
    rows.push(row)
    if ('value' in node) row.border = node.value
    else {
      Object.assign(row, { border: node.border, signal: node.signal })
      add(node.left) // stands just after its parent
      row.right = add(node.right)
    }
    return at
  }
  const starts = roots.map(add)
  const text = Buffer.from(JSON.stringify(head))
  const padding = Buffer.alloc((8 - ((28 + text.length) % 8)) % 8)
  const body = Buffer.concat([
    text,
    padding,
    bytesOf(Float64Array.from(rows, ({ border }) => border)),
    bytesOf(Float32Array.from(rows, ({ mean }) => mean)),
    bytesOf(Uint32Array.from(starts)),
    bytesOf(Uint32Array.from(rows, ({ right, signal }) => right * 256 + signal)),
  ])
  const prefix = Buffer.alloc(28)
  prefix.write('HONETREE')
  ;[1, starts.length, rows.length, text.length, fnv(body)].forEach((value, i) =>
    prefix.writeUInt32LE(value, 8 + 4 * i),
  )
  return Buffer.concat([prefix, body])
}

function meanOf(node: Node): number {
  if ('value' in node) return node.value
  const [left, right] = [rowsOf(node.left), rowsOf(node.right)]
  return (meanOf(node.left) * left + meanOf(node.right) * right) / (left + right)
}

function rowsOf(node: Node): number {
  return 'value' in node ? node.rows : rowsOf(node.left) + rowsOf(node.right)
}

function bytesOf({ buffer }: { readonly buffer: ArrayBuffer }): Buffer {
  return Buffer.from(buffer)
}

function fnv(body: Buffer): number {
  const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
  let hash = 0x811c9dc5
  for (let at = 0; at < padded.length; at += 4)
    hash = Math.imul(hash ^ padded.readUInt32LE(at), 0x01000193) >>> 0
  return hash
}

/**
 * SHA-256. The module behind it takes 7 ms to load (docs/decisions/0005-bundled-command.md), and a query that finds
 * nothing changed needs no digest: so it is loaded on first use.
 */
import { createRequire } from 'node:module'
import type Crypto from 'node:crypto'

const require = createRequire(import.meta.url)

/** Takes data in pieces (`update`), then gives the digest. */
export function sha256Hasher(): Crypto.Hash {
  return (require('node:crypto') as typeof Crypto).createHash('sha256')
}

/** Hex digest of one text or buffer. */
export function sha256(content: string | Uint8Array): string {
  return sha256Hasher().update(content).digest('hex')
}

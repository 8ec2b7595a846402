/** Files that hold credentials, told by name or by content. What is returned never quotes the credential. */
import { extname } from 'node:path/posix'

const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|_netrc|\.pgpass|\.htpasswd|\.git-credentials)$/i
const EXAMPLE_NAMES = /\.(?:example|sample|template|dist|defaults?)$/i
const SECRET_EXTENSIONS: ReadonlySet<string> = new Set([
  '.pem',
  '.key',
  '.p12',
  '.pfx',
  '.keystore',
  '.jks',
  '.ppk',
])

/** Why a file counts as secret by its name, or undefined. */
export function secretByName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (SECRET_NAMES.test(name) && !EXAMPLE_NAMES.test(name)) return `by name: ${name}`
  const extension = extname(name).toLowerCase()
  return SECRET_EXTENSIONS.has(extension) ? `by name: *${extension}` : undefined
}

interface TokenShape {
  readonly kind: string
  readonly shape: RegExp
}

/** Exact shapes their vendors publish; each with one capture group around the random part. */
const TOKEN_SHAPES: readonly TokenShape[] = [
  { kind: 'AWS access key', shape: /\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g },
  { kind: 'GitHub token', shape: /\bgh[pousr]_([A-Za-z0-9]{36})\b/g },
  { kind: 'GitHub token', shape: /\bgithub_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/g },
  { kind: 'GitLab token', shape: /\bglpat-([\w-]{20})(?![\w-])/g },
  { kind: 'Slack token', shape: /\bxox[abeprs]-\d{10,13}-(?:\d{10,13}-)*([A-Za-z0-9]{24,})\b/g },
  { kind: 'Stripe key', shape: /\b[sr]k_live_([A-Za-z0-9]{24,99})\b/g },
  { kind: 'Google API key', shape: /\bAIza([\w-]{35})(?![\w-])/g },
  { kind: 'npm token', shape: /\bnpm_([A-Za-z0-9]{36})\b/g },
  { kind: 'SendGrid key', shape: /\bSG\.([\w-]{22}\.[\w-]{43})(?![\w-])/g },
  { kind: 'Anthropic key', shape: /\bsk-ant-[a-z]+\d\d-([\w-]{80,120})(?![\w-])/g },
  { kind: 'OpenAI key', shape: /\bsk-(?:proj-)?([A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})\b/g },
]

// A header at the start of a line, headers of the block, then a line of base64: what a key file is made of.
const PRIVATE_KEY =
  /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\r?\n(?:[A-Za-z-]+: [^\r\n]*\r?\n|\r?\n)*[A-Za-z0-9+/=]{40,}/m

/** The kind of credential a text holds, or undefined. */
export function secretInText(text: string): string | undefined {
  if (text.includes('PRIVATE KEY') && PRIVATE_KEY.test(text)) return 'private key'
  return TOKEN_SHAPES.find(({ shape }) => holdsToken(text, shape))?.kind
}

function holdsToken(text: string, shape: RegExp): boolean {
  for (const [, random = ''] of text.matchAll(shape)) if (looksRandom(random)) return true
  return false
}

// Random letters of any vendor's alphabet reach 3.0 bits at 16 and 4.0 at 36 letters; made-up ones repeat or count up.
const MIN_ENTROPY_BITS = 3

/** False for placeholders: "XXXX…", "abcdefgh…", "…EXAMPLE…". */
function looksRandom(letters: string): boolean {
  return (
    !/example|sample|dummy|fake|test|xxxx|0123|1234|abcd/i.test(letters) &&
    entropyBits(letters) >= MIN_ENTROPY_BITS
  )
}

function entropyBits(letters: string): number {
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.values()].reduce(
    (bits, n) => bits - (n / letters.length) * Math.log2(n / letters.length),
    0,
  )
}

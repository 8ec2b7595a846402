import { describe, expect, it } from 'vitest'
import { readSource } from '../../src/walk/read-source.js'
import { secretByName, secretInText } from '../../src/walk/secrets.js'
import { walkedFile } from '../../src/walk/walk.js'
import { tree } from './temp-tree.js'

// Put together here so that no scanner takes this file for a leak.
const RANDOM = 'q7Zk2VxW9mTb4LrYc8HnPd3GsFj6AeUoRt5Bi'
const AWS = `AKIAQ7ZK2VXW5MTB4LRY`
const GITHUB = `ghp_${RANDOM.slice(0, 36)}`
const BASE64 = `MIIEpAIBAAKCAQEA${RANDOM}${RANDOM}`
const begin = (kind: string) => `-----BEGIN ${kind}-----`

describe('a secret by name', () => {
  it.each([
    '.env',
    'app/.env',
    '.env.local',
    '.env.production',
    'id_rsa',
    '.ssh/id_ed25519',
    'a.pem',
    'b.KEY',
    'c.p12',
  ])('%s is one', (path) => {
    expect(secretByName(path)).toBeDefined()
  })

  it.each([
    '.env.example',
    '.env.sample',
    '.env.template',
    'env.ts',
    'environment/a.ts',
    'id_rsa.pub',
    'key.ts',
    'keystore.go',
    '.environment',
  ])('%s is none', (path) => {
    expect(secretByName(path)).toBeUndefined()
  })
})

describe('a secret in a text', () => {
  it.each([
    ['private key', `${begin('RSA PRIVATE KEY')}\n${BASE64}\n`],
    ['private key', `const a = 1\n${begin('PRIVATE KEY')}\r\n${BASE64}\r\n`],
    [
      'private key',
      `${begin('RSA PRIVATE KEY')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${BASE64}\n`,
    ],
    ['private key', `${begin('PGP PRIVATE KEY BLOCK')}\nVersion: 1\n\n${BASE64}\n`],
    ['AWS access key', `aws_access_key_id = ${AWS}\n`],
    ['GitHub token', `token: "${GITHUB}"\n`],
    ['Slack token', `xoxb-123456789012-210987654321-${RANDOM.slice(0, 24)}`],
    ['Google API key', `key=AIza${RANDOM.slice(0, 35)}`],
  ])('%s is found', (kind, text) => {
    expect(secretInText(text)).toBe(kind)
  })

  it.each([
    ['a header that code compares with', `if (line === '${begin('PRIVATE KEY')}') {\n`],
    ['a header at a line start without a body', `${begin('PRIVATE KEY')}\n...\n-----END PRIVATE KEY-----\n`],
    ['a public key', `${begin('PUBLIC KEY')}\n${BASE64}\n`],
    ['a certificate', `${begin('CERTIFICATE')}\n${BASE64}\n`],
    ['the documented example', 'AKIAIOSFODNN7EXAMPLE'],
    ['a placeholder', `ghp_${'x'.repeat(36)}`],
    ['letters counting up', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    ['a longer word around it', `X${AWS}Y`],
    ['the pattern itself', 'AKIA[0-9A-Z]{16} or gh[pousr]_[A-Za-z0-9]{36}'],
    ['a hash', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ])('%s is none', (_, text) => {
    expect(secretInText(text)).toBeUndefined()
  })

  it('is never quoted in the reason', () => {
    const root = tree({ 'config.ts': `export const token = '${GITHUB}'\n`, '.env': `TOKEN=${GITHUB}\n` })
    for (const path of ['config.ts', '.env']) {
      const file = walkedFile(root, path)
      const result = file === undefined ? undefined : readSource(file, 1000)
      expect(result).toMatchObject({ kind: 'skip', skip: { path, reason: 'secret' } })
      expect(JSON.stringify(result)).not.toContain(RANDOM.slice(0, 8))
    }
  })
})

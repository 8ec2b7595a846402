import { describe, expect, it } from 'vitest'
import { pathMatcher } from '../../src/walk/globs.js'

describe('globs', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['vendor', 'vendor/a.ts', true],
    ['vendor/', 'vendor/a.ts', true],
    ['vendor', 'lib/vendor/a.ts', true],
    ['vendor', 'vendors/a.ts', false],
    ['/vendor', 'lib/vendor/a.ts', false],
    ['/vendor', 'vendor/a.ts', true],
    ['./src', 'src/a.ts', true],
    ['src/auth', 'src/auth/token.ts', true],
    ['src/auth', 'lib/src/auth/token.ts', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/deep/a.ts', true],
    ['**/*.{ts,tsx}', 'a/b.tsx', true],
    ['.github', '.github/workflows/ci.yml', true],
    ['**/*', '.env.d.ts', true],
    ['app/[id]', 'app/[id]/page.tsx', true],
    ['app/[id]', 'app/i/page.tsx', true],
    ['!(a|b).ts', 'c.ts', true],
    ['*.TS', 'a.ts', false],
  ])('%s on %s is %s', (glob, path, isMatch) => {
    expect(pathMatcher([glob])(path)).toBe(isMatch)
  })

  it('no globs match nothing', () => {
    expect(pathMatcher([])('a.ts')).toBe(false)
  })

  it.each([[''], ['/'], ['src/[a'], ['a{b'], ['!src'], ['x'.repeat(70_000)]])('%s is refused', (glob) => {
    expect(() => pathMatcher([glob])).toThrow(expect.objectContaining({ code: 'GLOB_INVALID' }) as Error)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_TASK_CHARACTERS, parseTask } from '../../src/retrieve/task.js'

describe('a task', () => {
  it.each([
    ['plain words', 'fix auth token expiry bug', ['fix', 'auth', 'token', 'expiry', 'bug']],
    ['camelCase', 'why does parseHTTPHeader fail', ['parse', 'http', 'header', 'fail']],
    ['snake_case', 'rate_limit', ['rate', 'limit']],
    ['a flag', 'where is --max-retries read', ['max', 'retries', 'read']],
    ['stop words around', 'where is the config', ['config']],
    ['stop words only', 'where is this', ['where', 'is', 'this']],
    ['CJK, in pairs', '令牌过期', ['令牌', '牌过', '过期']],
    ['CJK beside ASCII', 'token令牌', ['token', '令牌']],
    ['Cyrillic', 'Ошибка ВХОДА', ['ошибка', 'входа']],
    ['accents, however composed', 'cafe\u0301', ['café']],
    ['repetition', 'token Token TOKEN', ['token']],
    ['nothing but signs', '- . " ? * ( ) ^ : %', []],
    ['an emoji', '🔥', []],
    ['search operators as words', 'token AND NOT (a NEAR b)', ['token', 'near', 'b']],
  ])('%s: the words to look for', (_, task, words) => {
    expect(parseTask(task).words).toEqual(words)
  })

  it.each([
    ['fix src/auth/token.ts please', ['src/auth/token.ts']],
    ['fails at ./lib/a.js:12:3', ['lib/a.js']],
    ['see "package.json" and `tsconfig.base.json`', ['package.json', 'tsconfig.base.json']],
    ['what is app/[id]/page.tsx?', ['app/[id]/page.tsx']],
    ['the bug is in main.go.', ['main.go']],
    ['read src/größe/maß.properties!', ['src/größe/maß.properties']],
    ['App.svelte (and a.h)', ['App.svelte', 'a.h']],
    ['in version 1.2.3', []],
    ['no path at all.', []],
  ])('names paths: %s', (task, paths) => {
    expect(parseTask(task).paths).toEqual(paths)
  })

  it.each([
    ['why is `throttle` called', 'throttle'],
    ['call flush() twice', 'flush'],
    ['use RateLimiter', 'RateLimiter'],
    ['set MAX_RETRIES', 'MAX_RETRIES'],
    ['the _private one', '_private'],
    ['where is $scope', '$scope'],
  ])('names code: %s', (task, name) => {
    expect(parseTask(task).names).toContain(name)
  })

  it('joins neighbouring words as code would write them', () => {
    expect(parseTask('add rate limiting').joined).toContain('ratelimiting')
    expect(parseTask('the rate of it').joined).toEqual([])
  })

  it('of ten thousand words is read to its limit', () => {
    const { text, words } = parseTask('word '.repeat(10_000))
    expect(text).toHaveLength(MAX_TASK_CHARACTERS)
    expect(words).toEqual(['word'])
  })

  it('of any text is read without fault, and says the same twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (task) => {
        const parsed = parseTask(task)
        expect(parseTask(task)).toEqual(parsed)
        expect(new Set(parsed.words).size).toBe(parsed.words.length)
        for (const word of parsed.words) expect(word).not.toBe('')
      }),
    )
  })
})

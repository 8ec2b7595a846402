import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STOP_WORDS } from '../../src/text/stop-words.js'
import { identifiersIn, joinedForm, MAX_IDENTIFIER, partsOf, stem, termsOf } from '../../src/text/words.js'

describe('the parts of an identifier', () => {
  it.each([
    ['parseHTTPHeader_v2', ['parse', 'http', 'header', 'v2']],
    ['HTTPServer', ['http', 'server']],
    ['getURL', ['get', 'url']],
    ['UInt32Array', ['u', 'int32', 'array']],
    ['snake_case_name', ['snake', 'case', 'name']],
    ['SCREAMING_CASE', ['screaming', 'case']],
    ['__dunder__', ['dunder']],
    ['utf8', ['utf8']],
    ['sha256sum', ['sha256', 'sum']],
    ['x86_64', ['x86', '64']],
    ['2fa', ['2', 'fa']],
    ['A', ['a']],
    ['aB', ['a', 'b']],
    ['$scope', ['scope']],
    ['_', []],
    ['$$', []],
    ['ÜberGröße', ['über', 'größe']],
    ['имяФайла', ['имя', 'файла']],
    ['ПарсерJSON', ['парсер', 'json']],
    ['ｆｕｌｌＷｉｄｔｈ', ['full', 'width']],
    ['令牌过期', ['令牌', '牌过', '过期']],
    ['トークン', ['トー', 'ーク', 'クン']],
    ['토큰만료', ['토큰', '큰만', '만료']],
    ['令', ['令']],
    ['get令牌', ['get', '令牌']],
    ['令牌2过期', ['令牌', '2', '过期']],
    ['𠮷野家', ['𠮷野', '野家']], // beyond 16 bits: a character is never cut in two
    ['🚀', []],
    ['launch🚀Rocket', ['launch', 'rocket']],
    ['👩‍💻', []],
  ])('%s is cut into %j', (identifier, parts) => {
    expect(partsOf(identifier)).toEqual(parts)
  })

  it('together hold every letter and digit of an ASCII identifier once and in order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_$]{0,80}$/), (identifier) => {
        expect(partsOf(identifier).join('')).toBe(identifier.replace(/[_$]/g, '').toLowerCase())
      }),
    )
  })

  it('of any text are lower-case, not empty, and the same every time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const identifier of identifiersIn(text)) {
          const parts = partsOf(identifier)
          expect(partsOf(identifier)).toEqual(parts)
          for (const part of parts) expect(part).toBe(part.toLowerCase())
          expect(parts).not.toContain('')
        }
      }),
    )
  })

  it('are found in a very long identifier without delay', () => {
    expect(partsOf('aB'.repeat(50_000))).toHaveLength(50_001) // a, Ba, Ba, ..., B
    expect(partsOf('A'.repeat(100_000))).toHaveLength(1)
    expect(partsOf('令'.repeat(400_000))).toHaveLength(399_999)
  })
})

describe('the identifiers of a text', () => {
  it('are the runs of word characters, in order and with repetitions', () => {
    expect(identifiersIn('a.b(c, a) - d_e + $f; rate-limit')).toEqual('a b c a d_e $f rate limit'.split(' '))
    expect(identifiersIn('')).toEqual([])
    expect(identifiersIn(' \n\t"\'()[]{}')).toEqual([])
  })

  it('are none of them cut where ASCII ends', () => {
    expect(identifiersIn('const größe = naïveCafé')).toEqual(['const', 'größe', 'naïveCafé'])
  })

  it.each([
    ['non-breaking blanks', '\u00a0'],
    ['narrow blanks', '\u202f'],
    ['ideographic blanks', '\u3000'],
    ['dashes', '—'],
    ['quotation marks', '“'],
    ['ellipses', '…'],
  ])('are told apart by %s as by blanks', (_, separator) => {
    const words = 'refresh the token before it expires and then try the whole request once again'.split(' ')
    expect(identifiersIn(words.join(separator))).toEqual(words)
  })

  it('leave out hashes and keys, but not long runs of Chinese', () => {
    expect(identifiersIn(`a ${'f0'.repeat(MAX_IDENTIFIER)} b`)).toEqual(['a', 'b'])
    expect(identifiersIn('x'.repeat(MAX_IDENTIFIER))).toHaveLength(1)
    expect(identifiersIn('x'.repeat(MAX_IDENTIFIER + 1))).toHaveLength(0)
    expect(identifiersIn('汉'.repeat(200))).toHaveLength(1)
  })
})

describe('the terms of an identifier', () => {
  it('name it whole as well when it has several parts, however it is written', () => {
    expect(termsOf('rateLimit')).toEqual(['rate', 'limit', 'ratelimit'])
    expect(termsOf('rate_limit')).toEqual(termsOf('rateLimit'))
    expect(termsOf('RATE_LIMIT')).toEqual(termsOf('RateLimit'))
    expect(joinedForm('$rate_Limit')).toBe('ratelimit')
    expect(termsOf('limit')).toEqual(['limit'])
  })

  it('are the same for composed and decomposed accents', () => {
    const composed = 'größeÄndern'.normalize('NFC')
    expect(termsOf(composed.normalize('NFD'))).toEqual(termsOf(composed))
    expect(joinedForm(composed.normalize('NFD'))).toBe(joinedForm(composed))
  })

  it('are one for the forms of one word', () => {
    expect(termsOf('limiting')).toEqual(termsOf('limits'))
    expect(termsOf('retries')).toEqual(termsOf('retry'))
  })

  it('have no joined form where characters are paired anyway, nor beyond the longest identifier', () => {
    expect(termsOf('get令牌')).toEqual(['get', '令牌'])
    const long = `${'ab_'.repeat(30)}cd`
    expect(long.length).toBeGreaterThan(MAX_IDENTIFIER)
    expect(termsOf(long)).toHaveLength(31)
  })
})

describe('stemming', () => {
  it.each([
    ['connections', 'connect'],
    ['throttling', 'throttl'],
    ['caching', 'cach'],
    ['ids', 'ids'], // three letters stay as they are
    ['was', 'was'],
    ['utf8s', 'utf8s'], // a digit: no English word
    ['größen', 'größen'],
    ['令牌', '令牌'],
    ['', ''],
  ])('makes %s into %s', (word, root) => {
    expect(stem(word)).toBe(root)
  })

  it('never makes a word longer than its rule says, nor empty', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        const root = stem(word)
        expect(root.length).toBeGreaterThan(0)
        expect(root.length).toBeLessThanOrEqual(word.length + 1) // "hoping" -> "hope"
      }),
    )
  })
})

describe('stop words', () => {
  it('are lower-case words of which partsOf makes one part', () => {
    for (const word of STOP_WORDS) expect(partsOf(word)).toEqual([word])
  })
})

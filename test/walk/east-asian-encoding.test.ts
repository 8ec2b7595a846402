/** Old encodings of Chinese, Japanese and Korean beside those of the West: each read as what it is. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decoded } from '../../src/walk/text-encoding.js'

/** From characters to bytes: what a TextDecoder reads, turned round. */
function encoder(encoding: string): (text: string) => Buffer {
  const decoder = new TextDecoder(encoding)
  const bytesOf = new Map<string, readonly number[]>()
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail))
      if (!bytesOf.has(character)) bytesOf.set(character, [lead, trail])
    }
  }
  return (text) =>
    Buffer.from(
      Array.from(text).flatMap((c) => {
        const bytes = c < '\x80' ? [c.charCodeAt(0)] : bytesOf.get(c)
        if (bytes === undefined) throw new Error(`${encoding} has no ${c}`)
        return bytes
      }),
    )
}

const CHINESE = [
  '获取分布式锁，失败时重试',
  '用户登录验证',
  '如果文件不存在则返回空值',
  '这个函数用来解析配置文件中的参数',
  '设置超时时间，单位为毫秒',
  '删除过期的缓存数据',
  '从数据库读取订单信息并更新状态',
]
const JAPANESE = [
  'キャッシュの古い項目を削除する。',
  'ファイルが存在しない場合は空を返します',
  '設定を読み込んで初期化する',
  'ユーザーのログインを検証します。',
  'この関数は引数を解析する',
]
const KOREAN = [
  '메일을 보내는 함수입니다',
  '사용자 로그인을 검증하고 세션을 만든다',
  '설정 파일을 읽어서 초기화한다',
  '오래된 캐시 항목을 삭제합니다',
]
const WESTERN = [
  'größer als die Länge der Straße, übermäßig',
  'ÄÖÜ äöüß',
  'l’été où naïveté, déjà créée'.replace('’', "'"),
  '¿Dónde está la configuración? ¡Aquí! señal año',
  'configuração não está disponível à direita',
  'Färg på vår älskade å, ö och ä',
  'Ærlig øl på Århus',
  '© 2004 Müller & Søn, 20 µs, 5 °C, §3, ±1',
  'à é è ç ê ë î ï ô û ù « citation »',
  'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ',
  'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ',
  'íslenska þýðing ðæöá',
  Buffer.from(Array.from({ length: 95 }, (_, i) => 0xa1 + i)).toString('latin1'),
]

const some = (sentences: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.array(fc.constantFrom(...sentences), { minLength: 1, maxLength: 12 })
const asCode = (sentences: readonly string[]): string =>
  sentences.map((sentence, i) => `// ${sentence}\nint f${i}(void) { return ${i}; }\n`).join('')

describe('text in an encoding from before Unicode', () => {
  it.each([
    ['gb18030', CHINESE],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
  ] as const)('is read as %s, whatever is said in it', (encoding, sentences) => {
    const encoded = encoder(encoding)
    fc.assert(
      fc.property(some(sentences), (said) => {
        const text = asCode(said)
        expect(decoded(encoded(text))).toMatchObject({ text, encoding })
      }),
    )
  })

  it('is read as Korean where there is enough of it, and never as anything but that or Latin-1', () => {
    const encoded = encoder('euc-kr')
    fc.assert(
      fc.property(some(KOREAN), (said) => {
        const text = asCode(said)
        const read = decoded(encoded(text))
        if (said.length > 1) expect(read).toMatchObject({ text, encoding: 'euc-kr' })
        else expect(['euc-kr', 'latin1']).toContain(read?.encoding)
      }),
    )
  })

  it('is Latin-1 in the languages of the West, tables of letters included', () => {
    fc.assert(
      fc.property(some(WESTERN), (said) => {
        const text = asCode(said)
        expect(decoded(Buffer.from(text, 'latin1'))).toMatchObject({ text, encoding: 'latin1' })
      }),
    )
  })

  it('is Latin-1 where accented letters stand among others, in any words', () => {
    const letter = fc.constantFrom(...Array.from('abcdeghilmnorstuw'))
    const accented = fc.constantFrom(...Array.from('äöüßéèêëàâçñóíúãõåøæÄÖÜÉÅØ°µ§©'))
    const word = fc
      .tuple(fc.array(letter, { maxLength: 5 }), accented, fc.array(letter, { minLength: 1, maxLength: 5 }))
      .map(([before, one, after]) => [...before, one, ...after].join(''))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), (words) => {
        const text = `${words.join(' ')}\n`
        expect(decoded(Buffer.from(text, 'latin1'))).toMatchObject({ text, encoding: 'latin1' })
      }),
      { numRuns: 1000 },
    )
  })

  it('of a word or two is not guessed at', () => {
    expect(decoded(encoder('gb18030')('// 锁定\n'))?.encoding).toBe('latin1')
  })
})

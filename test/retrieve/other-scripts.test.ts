/** Tasks in other scripts than Latin find comments in them, whatever the encoding of the file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIndex, openIndex, type HoneIndex } from '../../src/index.js'
import { makeSample, put, SAMPLE } from '../spine/sample.js'

const FILES: Readonly<Record<string, string>> = {
  ...SAMPLE,
  'lock.go': 'package a\n\n// 获取分布式锁，失败时重试\nfunc Acquire(key string) error { return nil }\n',
  'evict.py': 'def evict(items):\n    """キャッシュの古い項目を削除する。"""\n    return items\n',
  'name.txt': '客人𠮷田\n',
  'mail.js': '// 메일을 보내는 함수\nexport function deliver() {}\n',
  'check.rb': '# ตรวจสอบรหัสผ่านของผู้ใช้\ndef check(x); end\n',
}

let index: HoneIndex
let remove: () => void

beforeAll(async () => {
  const sample = makeSample(FILES)
  remove = sample.remove
  put(sample.root, 'Login.cs', Buffer.from('\uFEFF// 用户登录验证\r\nclass Login {}\r\n', 'utf16le'))
  put(sample.root, 'street.c', Buffer.from('/* größe der straße */\nint g(void) { return 1; }\n', 'latin1'))
  await buildIndex({ root: sample.root, jobs: 0 })
  index = await openIndex({ root: sample.root })
})

afterAll(() => {
  index.close()
  remove()
})

describe('a task in another script', () => {
  it.each([
    ['Chinese', '分布式锁 重试', 'lock.go'],
    ['Japanese', '古い項目を削除', 'evict.py'],
    ['Korean', '메일을 보내는', 'mail.js'],
    ['Thai', 'ตรวจสอบรหัสผ่าน', 'check.rb'],
    ['Chinese in UTF-16', '用户登录', 'Login.cs'],
    ['German in Latin-1', 'größe straße', 'street.c'],
  ])('%s finds the comment in it first', async (_, task, path) => {
    expect((await index.retrieve({ task })).files[0]?.path).toBe(path)
  })

  it.each([
    ['at the end of a word', '锁', 'lock.go'],
    ['inside a word', '证', 'Login.cs'],
    ['at the beginning, beside a Latin word', 'evict 古', 'evict.py'],
    ['of two code units', '𠮷', 'name.txt'],
  ])('of a single character finds it %s', async (_, task, path) => {
    const { files, notes } = await index.retrieve({ task, minRelevance: 0 })
    expect(files[0]?.path).toBe(path)
    expect(notes.map(({ code }) => code)).not.toContain('NO_KNOWN_WORDS')
  })

  it('of a single character that no file holds is a word the index does not know', async () => {
    const { notes } = await index.retrieve({ task: '鱼' })
    expect(notes.map(({ code }) => code)).toContain('NO_KNOWN_WORDS')
  })
})

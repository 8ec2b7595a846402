import { describe, expect, it } from 'vitest'
import { languageOf } from '../../src/chunk/language.js'
import { BY_EXTENSION, BY_FILE_NAME, BY_INTERPRETER } from '../../src/chunk/languages/names.js'
import { LANGUAGE_NAMES, rowOf } from '../../src/chunk/languages/table.js'

describe('the language of a file', () => {
  it.each([
    ['src/a.ts', '', 'typescript'],
    ['src/a.d.mts', '', 'typescript'],
    ['src/a.TSX', '', 'tsx'],
    ['src/a.jsx', '', 'javascript'],
    ['a/Dockerfile', '', 'dockerfile'],
    ['a/Dockerfile.dev', '', 'dockerfile'],
    ['Makefile', '', 'make'],
    ['Gemfile', '', 'ruby'],
    ['build.gradle.kts', '', 'kotlin'],
    ['LICENSE', 'MIT', 'text'],
    ['a.unknown', '', 'text'],
    ['bin/run', '#!/usr/bin/env -S node --flag\n', 'javascript'],
    ['bin/run', '#!/usr/bin/python3.11\n', 'python'],
    ['bin/run', '#! /bin/sh -e\r\n', 'bash'],
    ['bin/run', '#!', 'text'],
    ['.gitignore', '', 'text'],
  ])('%s (%j) is %s', (path, text, language) => {
    expect(languageOf(path, text)).toBe(language)
  })

  it('a header is C unless its text is C++', () => {
    expect(languageOf('a.h', 'struct a { int b; };\n')).toBe('c')
    expect(languageOf('a.h', 'namespace a {}\n')).toBe('cpp')
    expect(languageOf('a.h', 'template <class T> void f();\n')).toBe('cpp')
    expect(languageOf('a.h', 'std::string f();\n')).toBe('cpp')
    expect(languageOf('a.h', '/*\n class of service,\n see Net::Http\n*/\nint f(void); // namespace\n')).toBe(
      'c',
    )
    expect(languageOf('a.h', '@interface View : NSObject\n@end\n')).toBe('objc')
  })

  it('every name in the tables has a row', () => {
    for (const table of [BY_EXTENSION, BY_FILE_NAME, BY_INTERPRETER]) {
      for (const language of table.values()) expect(LANGUAGE_NAMES).toContain(language)
    }
    expect(new Set(LANGUAGE_NAMES).size).toBe(LANGUAGE_NAMES.length)
    expect(rowOf('no such language').name).toBe('text')
  })
})

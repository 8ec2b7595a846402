/** The type tests leave nothing out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

describe('the type tests', () => {
  it('name every export of the library', () => {
    const entry = join(ROOT, 'src/index.ts')
    const program = ts.createProgram([entry], { module: ts.ModuleKind.NodeNext, noLib: true, types: [] })
    const checker = program.getTypeChecker()
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)! // it exports
    const exported = checker.getExportsOfModule(module).map(({ name }) => name)
    const text = readFileSync(join(import.meta.dirname, 'library.test-d.ts'), 'utf8')
    const used = text.slice(text.indexOf("from '../../src/index.js'"))
    expect(exported.length).toBeGreaterThan(60)
    expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(used))).toEqual([])
  })
})

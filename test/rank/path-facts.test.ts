import { describe, expect, it } from 'vitest'
import { pathFacts, type PathFacts } from '../../src/rank/path-facts.js'

/** The facts that hold, by their names without "is". */
function factsOf(path: string): readonly string[] {
  return (Object.entries(pathFacts(path)) as [keyof PathFacts, boolean][])
    .filter(([, holds]) => holds)
    .map(([name]) => name.slice(2).toLowerCase())
    .sort()
}

describe('a path tells of', () => {
  it.each([
    // tests, as each language writes them
    ['test/login.ts', ['test']],
    ['src/__tests__/login.js', ['test']],
    ['packages/a/tests/unit/x.py', ['test']],
    ['src/login.test.ts', ['test']],
    ['src/login.spec.tsx', ['test']],
    ['spec/models/user_spec.rb', ['test']],
    ['pkg/retry_test.go', ['test']],
    ['tests/test_login.py', ['test']],
    ['test_login.py', ['test']],
    ['src/test/java/MoneyTest.java', ['test']],
    ['Sources/LoginTests.swift', ['test']],
    ['benches/large.rs', ['test']],
    ['test/fixtures/answer.json', ['data', 'test']],
    // no tests, whatever is in their names
    ['src/contest.ts', []],
    ['src/latest/attest.go', []],
    ['src/inspector.ts', []],
    ['src/testimony.py', []],
    // documents
    ['README.md', ['document']],
    ['docs/guide.py', ['document']],
    ['doc/api.rst', ['document']],
    ['src/docstring.py', []],
    // generated
    ['dist/main.js', ['generated']],
    ['vendor/lib/x.go', ['generated']],
    ['api/user.pb.go', ['generated']],
    ['src/schema.generated.ts', ['generated']],
    ['js/jquery.min.js', ['generated']],
    ['package-lock.json', ['data', 'generated']],
    ['Cargo.lock', ['data', 'generated']],
    ['go.sum', ['generated']],
    ['src/generator.ts', []],
    ['src/builder.ts', []],
    // data
    ['config/app.yaml', ['data']],
    ['pyproject.toml', ['data']],
    ['i18n/de.po', ['data']],
    // files that mostly re-export
    ['src/index.ts', ['barrel']],
    ['src/foo/mod.rs', ['barrel']],
    ['pkg/__init__.py', ['barrel']],
    ['src/reindex.ts', []],
    // nothing
    ['src/auth/session.ts', []],
    ['Makefile', []],
    ['', []],
  ])('%s: %j', (path, facts) => {
    expect(factsOf(path)).toEqual(facts)
  })
})

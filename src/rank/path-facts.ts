/** What a path alone says about a file: test, documentation, generated. Such files weigh less, they are never left out. */

const TEST =
  /(^|\/)(tests?|specs?|__tests__|__mocks__|testing|testdata|fixtures?|e2e|benches|benchmarks?)\/|[._-](test|spec|bench|stories)\.[a-z]+$|(^|\/)test_[^/]+$|_test\.[a-z]+$|(Tests?|Spec)\.[a-z]+$/
const DOCUMENT = /\.(md|mdx|rst|adoc|txt|html?)$|(^|\/)docs?\//i
const GENERATED =
  /(^|\/)(dist|build|generated|gen|vendor|third_party|node_modules|\.yarn)\/|[._-](generated|gen|pb|min|bundle)\.[a-z.]+$|(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock|poetry\.lock)$/
const DATA = /\.(json|ya?ml|toml|lock|csv|tsv|xml|svg|ini|cfg|po|snap|golden|map)$/i
const BARREL = /(^|\/)(index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|__init__\.py|prelude\.rs)$/

export interface PathFacts {
  readonly isTest: boolean
  readonly isDocument: boolean
  readonly isGenerated: boolean
  readonly isData: boolean
  /** A file that mostly re-exports others. */
  readonly isBarrel: boolean
}

export function pathFacts(path: string): PathFacts {
  return {
    isTest: TEST.test(path),
    isDocument: DOCUMENT.test(path),
    isGenerated: GENERATED.test(path),
    isData: DATA.test(path),
    isBarrel: BARREL.test(path),
  }
}

/** A document or data: what tells about code, and what it reads. */
export function isText({ isDocument, isData }: PathFacts): boolean {
  return isDocument || isData
}

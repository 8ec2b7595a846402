/** File names, extensions and interpreters of each language. All in lower case. */

const EXTENSIONS: Readonly<Record<string, string>> = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs jsx es6',
  python: 'py pyi pyw pyx',
  go: 'go',
  java: 'java',
  rust: 'rs',
  c: 'c',
  cpp: 'cc cpp cxx c++ hpp hh hxx h++ ipp inl tpp cu cuh ino',
  ruby: 'rb rake gemspec ru podspec',
  php: 'php phtml php5 inc',
  'c-sharp': 'cs csx',
  bash: 'sh bash zsh ksh',
  bats: 'bats',
  kotlin: 'kt kts',
  scala: 'scala sc sbt',
  elixir: 'ex exs',
  haskell: 'hs',
  lua: 'lua',
  zig: 'zig zon',
  swift: 'swift',
  sql: 'sql',
  protobuf: 'proto',
  graphql: 'graphql gql',
  markdown: 'md markdown mdx',
  make: 'mk mak',
  vim: 'vim',
  dart: 'dart',
  perl: 'pl pm t',
  r: 'r',
  clojure: 'clj cljs cljc edn',
  lisp: 'el lisp scm rkt',
  css: 'css',
  scss: 'scss sass less',
  yaml: 'yml yaml',
  toml: 'toml',
  ini: 'ini cfg conf properties editorconfig',
  dockerfile: 'dockerfile',
  cmake: 'cmake',
  nix: 'nix',
  terraform: 'tf tfvars hcl',
  vue: 'vue',
  svelte: 'svelte astro',
  html: 'html htm xhtml erb heex eex hbs mustache',
  xml: 'xml xsd xsl svg plist csproj props targets fsproj vbproj',
  rst: 'rst',
  notebook: 'ipynb',
  json: 'json webmanifest geojson',
  jsonc: 'jsonc json5',
  groovy: 'groovy gradle',
  objc: 'm mm',
  fsharp: 'fs fsx fsi',
  ocaml: 'ml mli',
  erlang: 'erl hrl',
  julia: 'jl',
  powershell: 'ps1 psm1',
  fish: 'fish',
}

/** A name ending in ".*" stands for any extension. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile dockerfile.* containerfile',
  make: 'makefile makefile.* gnumakefile kbuild',
  cmake: 'cmakelists.txt',
  ruby: 'gemfile rakefile podfile brewfile vagrantfile guardfile',
  jsonc: 'tsconfig.json jsconfig.json .eslintrc .babelrc .swcrc',
  ini: '.editorconfig .gitconfig .npmrc',
  bash: '.bashrc .bash_profile .profile .zshrc .envrc pkgbuild',
  groovy: 'jenkinsfile',
  toml: 'cargo.lock pipfile poetry.lock',
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  bash: 'sh bash zsh ksh dash ash',
  bats: 'bats',
  python: 'python pypy',
  ruby: 'ruby',
  php: 'php',
  javascript: 'node nodejs bun',
  typescript: 'deno ts-node tsx',
  lua: 'lua luajit',
  perl: 'perl',
  elixir: 'elixir',
  haskell: 'runhaskell runghc stack',
  scala: 'scala',
  fish: 'fish',
  r: 'rscript',
}

export const BY_EXTENSION = inverted(EXTENSIONS)
export const BY_FILE_NAME = inverted(FILE_NAMES)
export const BY_INTERPRETER = inverted(INTERPRETERS)

function inverted(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([language, words]) =>
      words.split(' ').map((word) => [word, language] as const),
    ),
  )
}

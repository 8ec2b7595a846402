/** One line of each language with a grammar: to try out whether the grammar loads and parses. */
export const GRAMMAR_SAMPLES: readonly {
  readonly language: string
  readonly path: string
  readonly text: string
}[] = [
  { language: 'typescript', path: 'a.ts', text: 'function f(): void {}\n' },
  { language: 'tsx', path: 'a.tsx', text: 'const A = () => <a />\n' },
  { language: 'javascript', path: 'a.js', text: 'function f() {}\n' },
  { language: 'python', path: 'a.py', text: 'def f():\n    pass\n' },
  { language: 'go', path: 'a.go', text: 'package a\n\nfunc F() {}\n' },
  { language: 'java', path: 'A.java', text: 'class A { void f() {} }\n' },
  { language: 'rust', path: 'a.rs', text: 'fn f() {}\n' },
  { language: 'c', path: 'a.c', text: 'int f(void) { return 0; }\n' },
  { language: 'cpp', path: 'a.cpp', text: 'class A { int f() { return 0; } };\n' },
  { language: 'ruby', path: 'a.rb', text: 'def f\nend\n' },
  { language: 'php', path: 'a.php', text: '<?php function f() {}\n' },
  { language: 'c-sharp', path: 'a.cs', text: 'class A { void F() {} }\n' },
  { language: 'bash', path: 'a.sh', text: 'f() { true; }\n' },
  { language: 'kotlin', path: 'a.kt', text: 'fun f() {}\n' },
  { language: 'scala', path: 'a.scala', text: 'object A { def f() = 1 }\n' },
  { language: 'elixir', path: 'a.ex', text: 'defmodule A do\n  def f, do: 1\nend\n' },
  { language: 'haskell', path: 'a.hs', text: 'f :: Int\nf = 1\n' },
  { language: 'lua', path: 'a.lua', text: 'function f() end\n' },
  { language: 'zig', path: 'a.zig', text: 'fn f() void {}\n' },
]

/** A copy of the compiled command with what it needs around it, to be damaged by tests. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { command } from './command.js'

const TOP = join(import.meta.dirname, '../..')

/** Returns its folder: dist/cli/main.cjs, package.json, models, and node_modules in which each package can be replaced. */
export function copiedCommand(): string {
  const home = mkdtempSync(join(tmpdir(), 'hone-copy-'))
  cpSync(dirname(dirname(command())), join(home, 'dist'), { recursive: true })
  rmSync(join(home, 'dist/cli/code-cache'), { recursive: true, force: true })
  cpSync(join(TOP, 'package.json'), join(home, 'package.json'))
  symlinkSync(join(TOP, 'models'), join(home, 'models'))
  mkdirSync(join(home, 'node_modules'))
  for (const name of readdirSync(join(TOP, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(TOP, 'node_modules', name), join(home, 'node_modules', name))
  }
  return home
}

/** Puts a package in place of another that throws when it is loaded, as one compiled for another Node does. */
export function breakPackage(home: string, name: string): void {
  const folder = join(home, 'node_modules', name)
  if (name.startsWith('@')) ownScope(home, name.split('/')[0] ?? '')
  rmSync(folder, { recursive: true })
  mkdirSync(join(folder, 'build/Release'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }))
  writeFileSync(
    join(folder, 'index.js'),
    "throw new Error('was compiled against a different Node.js version')\n",
  )
  writeFileSync(
    join(folder, 'build/Release', `${(name.split('/').at(-1) ?? '').replace('-', '_')}.node`),
    'not a library',
  )
}

/** A folder of links in place of the link to a scope: what is done in it must not reach the packages themselves. */
function ownScope(home: string, scope: string): void {
  const folder = join(home, 'node_modules', scope)
  rmSync(folder)
  mkdirSync(folder)
  const whole = join(TOP, 'node_modules', scope)
  for (const name of readdirSync(whole)) symlinkSync(join(whole, name), join(folder, name))
}

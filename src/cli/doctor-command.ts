/** `hone doctor`: what works on this machine, what does not, what to do. */
import type { Command } from 'commander'
import { EXIT, HoneError } from '../errors.js'
import { diagnose, type Check } from '../index.js'
import { rootFor } from './root.js'

const MARK: Readonly<Record<Check['state'], string>> = { works: 'ok  ', missing: '-   ', broken: 'FAIL' }

export function addDoctorCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('doctor')
    .description('try out what hone needs here: native modules, encoders, git, the index')
    .argument('[path]', 'folder in a repository (default: this one)')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  hone doctor')
    .action(async (path: string | undefined, flags: { readonly json?: boolean }) => {
      const checks = await diagnose({ root: rootOrHere(path) })
      process.stdout.write(
        flags.json === true
          ? `${JSON.stringify({ schema: 1, checks }, null, 2)}\n`
          : checks.map(lines).join(''),
      )
      setExit(checks.some(({ state }) => state === 'broken') ? EXIT.indexUnusable : EXIT.answered)
    })
}

/** A damaged index must not keep the doctor from looking. */
function rootOrHere(path: string | undefined): string {
  try {
    return rootFor(path)
  } catch (error) {
    if (path !== undefined || !(error instanceof HoneError)) throw error
    return process.cwd()
  }
}

function lines({ name, state, detail, remedy }: Check): string {
  return `${MARK[state]} ${name.padEnd(13)} ${detail}\n${remedy === undefined ? '' : `     what to do: ${remedy}\n`}`
}

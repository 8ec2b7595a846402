/** `hone clean`: remove the index of a repository, nothing else. */
import type { Command } from 'commander'
import { EXIT } from '../errors.js'
import { removeIndex } from '../index.js'
import { rootFor } from './root.js'

export function addCleanCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('clean')
    .description('remove the index of a repository')
    .argument('[path]', 'folder in an indexed repository (default: this one)')
    .addHelpText('after', '\nExample:\n  hone clean')
    .action((path: string | undefined) => {
      const root = rootFor(path)
      const removed = removeIndex({ root })
      process.stdout.write(removed === undefined ? `no index in ${root}\n` : `removed ${removed}\n`)
      setExit(EXIT.answered)
    })
}

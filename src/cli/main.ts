/** The command line: wires commands to the library and errors to exit codes. */
import { Command, CommanderError } from 'commander'
import { VERSION } from '../config.js'
import { ERROR_EXIT, EXIT, HoneError, messageOf, systemCode } from '../errors.js'
import { addCleanCommand } from './clean-command.js'
import { addCompletionCommand } from './completion-command.js'
import { addDoctorCommand } from './doctor-command.js'
import { addExplainCommand } from './explain-command.js'
import { addIndexCommand } from './index-command.js'
import { addMcpCommand } from './mcp-command.js'
import { addModelsCommand } from './models-command.js'
import { addQueryCommand } from './query-command.js'
import { addRelatedCommand } from './related-command.js'
import { addSetupCommand } from './setup-command.js'
import { addStatusCommand } from './status-command.js'
import { visibleLines } from './visible.js'

/** In the order of `hone --help`. */
const COMMANDS = [
  addIndexCommand,
  addQueryCommand,
  addRelatedCommand,
  addExplainCommand,
  addStatusCommand,
  addMcpCommand,
  addSetupCommand,
  addDoctorCommand,
  addModelsCommand,
  addCompletionCommand,
  addCleanCommand,
]

export async function run(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.answered
  const setExit = (code: number): void => {
    exit = code
  }
  const program = new Command('hone')
    .description('Finds the code a task needs: offline, on this machine, without a language model.')
    .version(VERSION, '--version', 'print the version')
    .option('--verbose', 'print the stack of errors')
    .exitOverride()
    .showHelpAfterError('(add --help for what this command takes)')
  for (const add of COMMANDS) add(program, setExit)
  for (const command of program.commands)
    command.exitOverride().option('--verbose', 'print the stack of errors')
  try {
    await program.parseAsync([...argv])
    return exit
  } catch (error) {
    return report(error, argv.includes('--verbose'))
  }
}

function report(error: unknown, isVerbose: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.answered : EXIT.wrongUsage
  if (isVerbose && error instanceof Error) process.stderr.write(`${error.stack ?? error.message}\n`)
  if (error instanceof HoneError) {
    process.stderr.write(`hone: ${visibleLines(error.message)}\n`)
    return ERROR_EXIT[error.code]
  }
  process.stderr.write(`hone: a fault in hone: ${visibleLines(messageOf(error))} (add --verbose for where)\n`)
  return EXIT.internalFault
}

// A reader that stops early (head, less) is no error.
process.stdout.on('error', (error) => {
  if (systemCode(error) === 'EPIPE') process.exit(EXIT.answered)
  process.stderr.write(`hone: cannot write to standard output: ${messageOf(error)}\n`)
  process.exit(EXIT.internalFault)
})
// Who does not read warnings still gets the answer.
process.stderr.on('error', () => undefined)
// Node's own exit code for a crash, 1, would say that nothing is relevant.
process.on('uncaughtException', (error) => {
  process.exit(report(error, process.argv.includes('--verbose')))
})

void run(process.argv).then((code) => {
  // As soon as all is written: waiting for what the runtime still has in hand takes 10 ms and more.
  process.stdout.write('', (error) => {
    if (error === null || error === undefined) process.exit(code) // else the handler above ends it
  })
})

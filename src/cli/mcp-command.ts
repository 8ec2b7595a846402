/**
 * `hone mcp`: the MCP server on standard input and output. Two processes: this one only starts the one that serves,
 * with the protocol on a file descriptor of its own and its standard output sent to standard error. Whatever a native
 * library prints there cannot reach the client.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { Option, type Command } from 'commander'
import { EXIT, HoneError } from '../errors.js'
import { wholeNumber } from './options.js'
import { currentFolder } from './root.js'

interface McpFlags {
  readonly waitMs: number
  readonly protocolFd?: number
}

// Clients give up on a tool after a minute, some after ten seconds.
const DEFAULT_WAIT_MS = 7000
const PROTOCOL_FD = 3

export function addMcpCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('mcp')
    .description('serve coding agents over the Model Context Protocol on standard input and output')
    .argument('[roots...]', 'repositories to serve (default: those the client has open, else this one)')
    .option(
      '--wait-ms <n>',
      'answer from what is there when the first indexing takes longer',
      wholeNumber(1),
      DEFAULT_WAIT_MS,
    )
    .addOption(new Option('--protocol-fd <n>').argParser(wholeNumber(PROTOCOL_FD, PROTOCOL_FD)).hideHelp())
    .addHelpText(
      'after',
      '\nExample (a client starts it so; hone setup prints its configuration):\n  hone mcp',
    )
    .action(async (roots: readonly string[], flags: McpFlags) => {
      setExit(flags.protocolFd === undefined ? await startServer() : await serve(roots, flags))
    })
}

/** Runs this command once more with the protocol on its own descriptor; returns its exit code. */
function startServer(): Promise<number> {
  const [, script = '', ...args] = process.argv
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, ...args, '--protocol-fd', String(PROTOCOL_FD)],
    {
      stdio: [0, 2, 2, 1],
      windowsHide: true,
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (signal === null) resolve(code ?? EXIT.internalFault)
      else resolve(signal === 'SIGINT' || signal === 'SIGTERM' ? EXIT.interrupted : EXIT.internalFault)
    })
  })
}

async function serve(roots: readonly string[], { waitMs }: McpFlags): Promise<number> {
  const output = protocolStream()
  const { serveMcp } = await import('../mcp/serve.js') // not before it is asked for
  await serveMcp({ input: process.stdin, output, roots, currentFolder: currentFolder(), patienceMs: waitMs })
  return EXIT.answered
}

/** A stream on the protocol's descriptor, whatever kind of file the client gave. */
function protocolStream(): Writable {
  try {
    const stat = fstatSync(PROTOCOL_FD)
    return stat.isFIFO() || stat.isSocket()
      ? new Socket({ fd: PROTOCOL_FD, readable: false, writable: true })
      : createWriteStream('', { fd: PROTOCOL_FD })
  } catch (cause) {
    throw new HoneError('USAGE', '--protocol-fd is for hone itself; run: hone mcp', { cause })
  }
}

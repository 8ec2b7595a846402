/** `hone setup`: the configuration that makes coding agents use hone; printed, or written after showing what changes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Option, type Command } from 'commander'
import { commandFolders, homeFolder } from '../config.js'
import { EXIT, HoneError, messageOf } from '../errors.js'
import { AGENTS, SKILL, type Agent, type ServerCommand } from './agents.js'
import { rootFor } from './root.js'

type Editing = typeof import('./edit-config.js')

interface SetupFlags {
  readonly repo?: string
  readonly write?: boolean
  readonly remove?: boolean
}

export function addSetupCommand(program: Command, setExit: (code: number) => void): void {
  const ids = AGENTS.map(({ id }) => id).join(', ')
  program
    .command('setup')
    .description('print or write the configuration that makes coding agents use hone')
    .argument('[agents...]', `which: ${ids} (default: print all)`)
    .option('--repo <path>', 'repository to set up (default: this one)')
    .option('--write', 'write it, after showing what changes')
    .addOption(new Option('--remove', 'take it out again, after showing what changes').conflicts('write'))
    .addHelpText(
      'after',
      '\nExamples:\n  hone setup claude\n  hone setup claude --write\n  hone setup claude --remove',
    )
    .action(async (names: readonly string[], flags: SetupFlags) => {
      const editing = await import('./edit-config.js') // not before it is asked for
      const agents = names.map(agentCalled)
      const root = rootFor(flags.repo)
      if (flags.write !== true && flags.remove !== true) {
        for (const agent of agents.length > 0 ? agents : AGENTS)
          process.stdout.write(printed(agent, root, editing))
        if (agents.length === 0)
          process.stdout.write(`# What an agent should know (its rules or skills file)\n\n${SKILL}`)
        process.stderr.write(`nothing was written; to write it: hone setup ${names[0] ?? 'claude'} --write\n`)
      } else {
        if (agents.length === 0) throw new HoneError('USAGE', `say for which agent: ${ids}`)
        for (const change of agents.flatMap((agent) =>
          changesFor(agent, { root, isRemoved: flags.remove === true, editing }),
        ))
          make(change, { editing, root })
        if (flags.write === true) for (const agent of agents) process.stderr.write(nextStep(agent, root))
      }
      setExit(EXIT.answered)
    })
}

/** What is left to do, for a person who has never set up a server. */
function nextStep({ name }: Agent, root: string): string {
  return `next: start ${name} in ${root} and let it use the server "hone"; the first question builds the index\n`
}

function agentCalled(name: string): Agent {
  const agent = AGENTS.find(({ id }) => id === name)
  if (agent !== undefined) return agent
  throw new HoneError('USAGE', `no agent "${name}"; there are ${AGENTS.map(({ id }) => id).join(', ')}`)
}

function printed(agent: Agent, root: string, { edited }: Editing): string {
  const { name, documentation } = agent
  const text = edited('', agent, entryOf(agent, root))
  return `# ${name}: ${fileOf(agent, root)} (${documentation})\n\n${text}\n`
}

function fileOf(agent: Agent, root: string): string {
  return agent.file({ root, home: homeFolder() })
}

function entryOf(agent: Agent, root: string): object {
  const { command, args } = serverCommand()
  const folder = agent.folder === 'current' ? [] : [agent.folder === 'root' ? root : agent.folder]
  return agent.entry({ command, args: [...args, 'mcp', ...folder] })
}

/** `hone` where a shell finds it, else this very file run by this very Node. */
function serverCommand(): ServerCommand {
  const isFound = commandFolders().some(
    (folder) => existsSync(join(folder, 'hone')) || existsSync(join(folder, 'hone.cmd')),
  )
  return isFound
    ? { command: 'hone', args: [] }
    : { command: process.execPath, args: [process.argv[1] ?? 'hone'] }
}

/** A file as it is and as it will be; "" is none. */
interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

function changesFor(
  agent: Agent,
  {
    root,
    isRemoved,
    editing,
  }: { readonly root: string; readonly isRemoved: boolean; readonly editing: Editing },
): readonly Change[] {
  const file = fileOf(agent, root)
  const before = textOf(file)
  const after = editing.edited(before, agent, isRemoved ? undefined : entryOf(agent, root))
  const isEmpty = isRemoved && /^\s*(\{\s*\})?\s*$/.test(after)
  const changes = [{ file, before, after: isEmpty ? '' : after }]
  return agent.id === 'claude' ? [...changes, skillChange(root, isRemoved)] : changes
}

/** Claude Code reads skills of a project from here. A text that somebody changed is theirs and stays. */
function skillChange(root: string, isRemoved: boolean): Change {
  const file = join(root, '.claude/skills/hone/SKILL.md')
  const before = textOf(file)
  const isOwn = before === '' || before === SKILL
  if (!isOwn) return { file, before, after: before }
  return { file, before, after: isRemoved ? '' : SKILL }
}

function textOf(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    throw new HoneError('USAGE', `cannot read ${file}: ${messageOf(error)}`, { cause: error })
  }
}

function make(
  { file, before, after }: Change,
  { editing, root }: { readonly editing: Editing; readonly root: string },
): void {
  if (before === after) {
    process.stdout.write(`${file}: nothing to change\n`)
    return
  }
  process.stdout.write(`${file}\n${editing.lineDiff(before, after)}\n`)
  try {
    if (after === '') removeWithFolders(file, new Set([root, homeFolder()]))
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, after)
    }
  } catch (error) {
    throw new HoneError('USAGE', `cannot write ${file}: ${messageOf(error)}`, { cause: error })
  }
}

/** The file, and the folders above it that are empty then, up to those that stay whatever they hold. */
function removeWithFolders(file: string, staying: ReadonlySet<string>): void {
  rmSync(file)
  for (let folder = dirname(file); !staying.has(folder); folder = dirname(folder)) {
    if (readdirSync(folder).length > 0) return
    rmdirSync(folder)
  }
}

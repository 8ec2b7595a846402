/** `hone completion`: a script that teaches a shell the commands and options. Made from them, so it cannot lag behind. */
import { Argument, type Command, type Option } from 'commander'
import { EXIT } from '../errors.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function addCompletionCommand(program: Command, setExit: (code: number) => void): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nExample:\n  hone completion bash\n\nTo use it, in ~/.bashrc or ~/.zshrc: source <(hone completion bash) (or zsh);\nfor fish: hone completion fish > ~/.config/fish/completions/hone.fish',
    )
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](program))
      setExit(EXIT.answered)
    })
}

const SCRIPTS: Readonly<Record<Shell, (program: Command) => string>> = { bash, zsh, fish }

function shownOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command)
}

/** Words that may follow `hone COMMAND`: its long options. */
function optionWords(command: Command): string {
  return shownOptions(command)
    .map(({ long }) => long)
    .join(' ')
}

function names(program: Command): string {
  return program.commands.map((command) => command.name()).join(' ')
}

function bash(program: Command): string {
  const cases = program.commands.map((c) => `    ${c.name()}) words='${optionWords(c)}' ;;`).join('\n')
  return `# hone completion for bash
_hone() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names(program)} --help --version' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases}
    *) words= ;;
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _hone hone
`
}

function zsh(program: Command): string {
  const commands = program.commands.map((c) => `    '${c.name()}:${quoted(c.description())}'`).join('\n')
  const cases = program.commands
    .map((c) => {
      const specs = shownOptions(c).map(
        (o) =>
          `'${o.long ?? ''}[${quoted(o.description)}]${o.required ? `:${o.attributeName()}:_files` : ''}'`,
      )
      return `    ${c.name()}) _arguments ${specs.join(' ')} '*:file:_files' ;;`
    })
    .join('\n')
  return `#compdef hone
# hone completion for zsh
_hone() {
  local -a commands
  commands=(
${commands}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases}
  esac
}
compdef _hone hone
`
}

function fish(program: Command): string {
  const commands = program.commands.map(
    (c) => `complete -c hone -n __fish_use_subcommand -a ${c.name()} -d '${quoted(c.description())}'`,
  )
  const options = program.commands.flatMap((c) =>
    shownOptions(c).map(
      (o) =>
        `complete -c hone -n '__fish_seen_subcommand_from ${c.name()}' -l ${(o.long ?? '').slice(2)}${o.required ? ' -r' : ''} -d '${quoted(o.description)}'`,
    ),
  )
  return `# hone completion for fish\n${[...commands, ...options].join('\n')}\n`
}

/** For single quotes and the brackets of zsh; a description that needs more is too clever. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', ';')
}

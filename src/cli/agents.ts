/**
 * Where coding agents keep their MCP servers, one row an agent. Formats as their documentation has them (checked in
 * December 2026); an agent whose format we are not sure of is not here.
 */
import { join } from 'node:path'

/** The server as an agent starts it. */
export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

export interface Agent {
  /** As `hone setup` takes it. */
  readonly id: string
  readonly name: string
  readonly format: 'json' | 'toml'
  readonly file: (folders: { readonly root: string; readonly home: string }) => string
  /** Where in the file the servers are. */
  readonly servers: string
  /** What stands under the server's name. */
  readonly entry: (server: ServerCommand) => object
  /** The folder that the agent starts the server for, in its own words; without: it starts it there, or is told. */
  readonly folder: 'current' | 'root' | '${workspaceFolder}'
  readonly documentation: string
}

const plain = ({ command, args }: ServerCommand): object => ({ command, args })

export const AGENTS: readonly Agent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    format: 'json',
    file: ({ root }) => join(root, '.mcp.json'),
    servers: 'mcpServers',
    entry: plain,
    folder: 'current',
    documentation: 'https://code.claude.com/docs/en/mcp',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    format: 'json',
    file: ({ root }) => join(root, '.cursor/mcp.json'),
    servers: 'mcpServers',
    entry: plain,
    folder: '${workspaceFolder}',
    documentation: 'https://cursor.com/docs/context/mcp',
  },
  {
    id: 'vscode',
    name: 'VS Code, GitHub Copilot',
    format: 'json',
    file: ({ root }) => join(root, '.vscode/mcp.json'),
    servers: 'servers',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    folder: '${workspaceFolder}',
    documentation: 'https://code.visualstudio.com/docs/copilot/chat/mcp-servers',
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    format: 'toml',
    file: ({ home }) => join(home, '.codex/config.toml'),
    servers: 'mcp_servers',
    entry: plain,
    folder: 'current',
    documentation: 'https://developers.openai.com/codex/mcp',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    format: 'json',
    file: ({ root }) => join(root, '.gemini/settings.json'),
    servers: 'mcpServers',
    entry: plain,
    folder: 'current',
    documentation: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    format: 'json',
    file: ({ home }) => join(home, '.codeium/windsurf/mcp_config.json'),
    servers: 'mcpServers',
    entry: plain,
    folder: 'root',
    documentation: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  {
    id: 'zed',
    name: 'Zed',
    format: 'json',
    file: ({ home }) => join(home, '.config/zed/settings.json'),
    servers: 'context_servers',
    entry: ({ command, args }) => ({ command, args, env: {} }),
    folder: 'root',
    documentation: 'https://zed.dev/docs/ai/mcp',
  },
]

/** What an agent should know about using hone; Claude Code reads it from .claude/skills/hone/SKILL.md. */
export const SKILL = `---
name: hone
description: Find the code a task needs. Use before changing or explaining code in a repository you do not know by heart.
---

# Finding code with hone

1. **Ask.** Call \`retrieve_context\` with the task in plain words (what is to be done, not what to grep for).
2. **Read** only the files of band "high" first, and of those the ranges shown. "medium" files are patterns and types to
   look at when a high file needs them. Where none is high, hone is unsure: look at the ranges of the first three, and if
   they do not help ask again in the words of the code, or use grep. "Nothing likely enough" names the nearest files.
3. **Judge.** Call \`retrieve_context\` again with the same task and \`judgements\`: every file you read, relevant or not.
   The answer holds further files, found by what the relevant ones have in common.
4. **Stop** after three calls at most, or when "stop" is "sufficient" and no gap is critical. "missing" names what the
   files use and the answer does not hold: ask for it by name.

Before you finish a change, call \`related_code\` on each file you changed: it finds tests, callers and files that
usually change together with it. Without an MCP client the same is \`hone query "TASK" --relevant FILE --format markdown\`
and \`hone related FILE\`.
`

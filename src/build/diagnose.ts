/** What of hone works on this machine, tried out rather than looked up; and what to do where it does not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChunker } from '../chunk/chunk-file.js'
import { GRAMMAR_SAMPLES } from '../chunk/languages/samples.js'
import { rowOf } from '../chunk/languages/table.js'
import { modelsFolders } from '../config.js'
import { modelsAtHand } from '../embed/model-folder.js'
import { messageOf } from '../errors.js'
import { gitAtHand, LEAST_GIT } from '../history/git.js'
import { openDatabase } from '../store/database.js'
import { whyNoGraphLibrary } from '../store/graph-file.js'
import { loadEncoder } from './encoders.js'

export interface Check {
  readonly name: string
  /** `missing` takes a feature away, `broken` keeps hone from working. */
  readonly state: 'works' | 'missing' | 'broken'
  readonly detail: string
  /** What to do about it; only where something is to be done. */
  readonly remedy?: string
}

const LEAST_NODE = 20

/** All checks that need no index, in the order they build on one another. */
export async function diagnose(): Promise<readonly Check[]> {
  return [
    node(),
    await tried('database', 'SQLite', () => database(), 'npm rebuild better-sqlite3'),
    ...(await grammars()),
    vectorGraph(),
    ...(await encoders()),
    await git(),
  ]
}

function node(): Check {
  const isOld = Number(process.versions.node.split('.')[0]) < LEAST_NODE
  const detail = `Node ${process.version} on ${process.platform} ${process.arch}`
  return isOld
    ? { name: 'node', state: 'broken', detail, remedy: `install Node ${LEAST_NODE} or newer` }
    : { name: 'node', state: 'works', detail }
}

/** A check that is broken when the trial throws; what the trial returns is its detail. */
async function tried(
  name: string,
  what: string,
  trial: () => string | Promise<string>,
  remedy: string,
): Promise<Check> {
  try {
    return { name, state: 'works', detail: `${what}: ${await trial()}` }
  } catch (error) {
    return { name, state: 'broken', detail: messageOf(error), remedy }
  }
}

function database(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hone-doctor-'))
  try {
    const opened = openDatabase(join(folder, 'trial.db'), 'create')
    const version = String(opened.prepare('select sqlite_version()').pluck().get())
    opened.close()
    return `${version} writes and reads`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The parser, and which grammars it can use: a language whose grammar is missing is cut by lines. */
async function grammars(): Promise<readonly Check[]> {
  const failed: string[] = []
  const packages = new Set<string>()
  let detail = ''
  const parser = await tried(
    'parser',
    'the parser',
    async () => {
      const chunker = await createChunker()
      for (const { language, path, text } of GRAMMAR_SAMPLES) {
        await chunker.prepare(language)
        const { fallback } = chunker.chunk(path, text)
        if (fallback === undefined) continue
        failed.push(language)
        packages.add(rowOf(language).rules?.grammar.module ?? '')
        detail = fallback
      }
      return `${GRAMMAR_SAMPLES.length - failed.length} of ${GRAMMAR_SAMPLES.length} grammars parse`
    },
    'npm rebuild tree-sitter',
  )
  if (failed.length === 0) return [parser]
  const remedy = `npm rebuild ${[...packages].join(' ')}`
  const lost = `cut by lines instead of symbols: ${failed.join(', ')} (${detail})`
  return [parser, { name: 'grammars', state: 'missing', detail: lost, remedy }]
}

function vectorGraph(): Check {
  const why = whyNoGraphLibrary()
  return why === undefined
    ? { name: 'vector graph', state: 'works', detail: 'hnswlib-node loads; used from a million chunks on' }
    : {
        name: 'vector graph',
        state: 'missing',
        detail: `hnswlib-node does not load (${why}); every vector is compared instead, slower only from a million chunks on`,
        remedy: 'nothing, or: npm install --include=optional hone-code',
      }
}

/** Every encoder at hand gives a vector. Without the static one hone cannot index; the others are a choice. */
async function encoders(): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const { name, kind, folder } of modelsAtHand(modelsFolders())) {
    const check = await tried(
      `encoder ${name}`,
      kind,
      async () => {
        const embedder = await loadEncoder(modelsFolders(), name)
        await embedder.embed(['probe'])
        return `${embedder.dimensions} dimensions, in ${folder}`
      },
      kind === 'static' ? 'install hone-code again' : 'npm install --include=optional hone-code, or leave it',
    )
    checks.push(check.state === 'broken' && kind === 'transformer' ? { ...check, state: 'missing' } : check)
  }
  return checks
}

async function git(): Promise<Check> {
  const found = await gitAtHand({ cwd: process.cwd(), signal: undefined })
  if (found.kind === 'works') return { name: 'git', state: 'works', detail: `git version ${found.version}` }
  const what = {
    'no-git': 'git is not installed (no program of that name in PATH)',
    'git-fails': 'git is installed but "git version" fails',
    'git-old': `git ${'version' in found ? found.version : ''} is too old, ${LEAST_GIT} is needed`,
  }[found.kind]
  const lost = 'no past commits, no related --diff; ignore files are read by hone itself'
  const remedy =
    found.kind === 'git-fails' ? 'run "git version" and see why' : `install git ${LEAST_GIT} or newer`
  return { name: 'git', state: 'missing', detail: `${what}: ${lost}`, remedy }
}

/** The command that mends or renews an index, whole: a message that leaves out the root sends people to another index. */
import { basename, dirname } from 'node:path'
import { keptSettings } from './kept-settings.js'

export interface MendOptions {
  /** For damage that an update would not touch. */
  readonly rebuild?: boolean
  /** To build with another encoder. */
  readonly encoder?: string
}

/** "hone index /the/root", to be pasted into a shell. */
export function indexCommand(root: string, { rebuild = false, encoder }: MendOptions = {}): string {
  const options = `${rebuild ? ' --rebuild' : ''}${encoder === undefined ? '' : ` --encoder ${encoder}`}`
  return `hone index${options} ${shellWord(root)}`
}

/** The same for the root of an index folder, which is the folder around `.hone/`, or is written down in it. */
export function mendCommand(indexFolder: string, options: MendOptions = {}): string {
  const root = basename(indexFolder) === '.hone' ? dirname(indexFolder) : keptSettings(indexFolder)?.root
  return root === undefined
    ? `hone index${options.rebuild === true ? ' --rebuild' : ''}`
    : indexCommand(root, options)
}

function shellWord(text: string): string {
  return /^[\w./~+@%,=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

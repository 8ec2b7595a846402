/** What to say when a compiled module does not load: which, why, and what mends it. */
import { HoneError, messageOf } from './errors.js'

/** NATIVE_MODULE for what loading the package `name` has thrown. */
export function nativeFault(name: string, error: unknown): HoneError {
  return new HoneError('NATIVE_MODULE', `${whyNotLoaded(name, error)}; run: ${remedyFor(name, error)}`, {
    cause: error,
  })
}

/** Why a package does not load, in one line. Node tells the reasons apart by its words alone. */
export function whyNotLoaded(name: string, error: unknown): string {
  const message = messageOf(error)
  const versions = [...message.matchAll(/NODE_MODULE_VERSION (\d+)/g)].map(([, version]) => version)
  if (versions.length >= 2)
    return `${name} was compiled for another Node (its NODE_MODULE_VERSION is ${versions[0] ?? ''}, that of this Node ${process.version} is ${process.versions.modules})`
  if (isNotInstalled(name, error)) return `${name} is not installed`
  if (/Cannot find module|No native build was found/.test(message))
    return `the compiled part of ${name} is missing, as after an installation without install scripts (--ignore-scripts)`
  return `${name} does not load in Node ${process.version} (${message.split('\n')[0] ?? ''})`
}

/** The command that mends it, and what the command needs. */
export function remedyFor(name: string, error: unknown): string {
  return isNotInstalled(name, error)
    ? 'npm install, in the folder of hone-code'
    : `npm rebuild ${name} (in the folder of hone-code; where it finds no binary to download, it needs a C++ compiler, make and Python)`
}

function isNotInstalled(name: string, error: unknown): boolean {
  const wanted = /Cannot find (?:module|package) '([^']+)'/.exec(messageOf(error))?.[1]
  return wanted === name || wanted === `${name}/package.json`
}

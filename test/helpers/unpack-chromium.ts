/** Unpacks the Chromium of the npm package once for each version of it, into node_modules. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const require = createRequire(import.meta.url)
const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const inflate = promisify(brotliDecompress)

export interface Unpacked {
  readonly program: string
  /** Folder of the libraries it needs beyond those of C. */
  readonly libraries: string
  /** Configuration of its fonts. */
  readonly fonts: string
}

/** `hasSystemFonts`: for people; without, pages look the same on every machine. */
export async function unpackChromium(hasSystemFonts: boolean): Promise<Unpacked> {
  const source = join(dirname(require.resolve('@sparticuz/chromium')), '../../bin')
  const { version } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as { version: string }
  const folder = join(NODE_MODULES, `.hone-chromium-${version}`)
  if (!existsSync(folder)) await unpack(source, folder)
  return {
    program: join(folder, 'chromium'),
    libraries: join(folder, 'lib'),
    fonts: join(folder, hasSystemFonts ? 'all-fonts.conf' : 'fonts.conf'),
  }
}

/** Takes its place only when complete: two runs at once may both unpack, and one is kept. */
async function unpack(source: string, folder: string): Promise<void> {
  const part = mkdtempSync(`${folder}-`)
  const read = (name: string): Promise<Buffer> => inflate(readFileSync(join(source, name)))
  writeFileSync(join(part, 'chromium'), await read('chromium.br'))
  chmodSync(join(part, 'chromium'), 0o755)
  for (const name of ['al2023.tar.br', 'fonts.tar.br'])
    for (const { path, content } of filesOfTar(await read(name))) {
      mkdirSync(dirname(join(part, path)), { recursive: true })
      writeFileSync(join(part, path), content)
    }
  writeFileSync(join(part, 'fonts.conf'), fontsConf([join(folder, 'fonts')]))
  writeFileSync(join(part, 'all-fonts.conf'), fontsConf(['/usr/share/fonts', join(folder, 'fonts')]))
  try {
    renameSync(part, folder)
  } catch (error) {
    rmSync(part, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

function fontsConf(folders: readonly string[]): string {
  const listed = folders.map((folder) => `<dir>${folder}</dir>`).join('')
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${listed}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n`
}

const TAR_BLOCK = 512

/** Regular files of an archive with short names. */
function filesOfTar(tar: Buffer): readonly { readonly path: string; readonly content: Buffer }[] {
  const files: { path: string; content: Buffer }[] = []
  let at = 0
  while (at < tar.length && tar[at] !== 0) {
    const field = (from: number, length: number): string =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = parseInt(field(124, 12), 8)
    const start = at + TAR_BLOCK
    const isFile = ['0', ''].includes(field(156, 1))
    if (isFile) files.push({ path: field(0, 100), content: tar.subarray(start, start + size) })
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK
  }
  return files
}

/** `hone models`: the encoders at hand, and adding one. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { DEFAULTS } from '../config.js'
import { EXIT } from '../errors.js'
import { addEncoder, encodersAtHand, type ModelFolder } from '../index.js'

export function addModelsCommand(program: Command, setExit: (code: number) => void): void {
  const models = program
    .command('models')
    .description('list the encoders that hone index --encoder takes, or add one')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  hone models')
    .action((flags: { readonly json?: boolean }) => {
      const encoders = encodersAtHand()
      process.stdout.write(
        flags.json === true
          ? `${JSON.stringify(encoders, null, 2)}\n`
          : encoders.map((encoder) => line(encoder, widthOf(encoders))).join(''),
      )
      setExit(EXIT.answered)
    })
  models
    .command('add')
    .description('download an encoder from the Hugging Face hub: the only command that uses the network')
    .argument('<id>', 'owner/model; needs an ONNX form, as the models of Xenova/ have')
    .option('--from <folder>', 'take the files from this folder instead')
    .option('--verbose', 'print the stack of errors')
    .addHelpText(
      'after',
      '\nExamples:\n  hone models add Xenova/bge-small-en-v1.5\n  hone models add my/model --from ~/models/my-model',
    )
    .exitOverride()
    .action(async (name: string, flags: { readonly from?: string }) => {
      const added = await addEncoder({
        name,
        onFile: (file) => process.stderr.write(`downloading ${file}\n`),
        ...(flags.from === undefined ? {} : { from: resolve(flags.from) }),
      })
      process.stdout.write(`${line(added)}use it with: hone index --encoder ${added.name} --rebuild\n`)
      setExit(EXIT.answered)
    })
}

function widthOf(encoders: readonly ModelFolder[]): number {
  return Math.max(0, ...encoders.map(({ name }) => name.length))
}

function line({ name, kind, bytes, folder }: ModelFolder, width = 0): string {
  const isDefault = name === DEFAULTS.encoder ? ', default' : ''
  return `${name.padEnd(width)}  ${kind}${isDefault}, ${(bytes / 1e6).toFixed(1)} MB, ${folder}\n`
}

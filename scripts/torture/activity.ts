/** One index run in a process that will be killed: says when it begins, so that no moment is wasted on starting up. */
import { buildIndex as build } from '../../src/build/build-index.js'
import { loadEncoder, wordsBeside } from '../../src/build/encoders.js'
import { indexFolderOf } from '../../src/build/index-folder.js'
import { DEFAULTS, MODELS_FOLDER } from '../../src/config.js'

export interface Activity {
  readonly root: string
  readonly rebuild: boolean
  readonly jobs: number
  /** Chunks from which on a graph of the vectors is built. */
  readonly graphFrom?: number
}

const activity = JSON.parse(process.argv[2] ?? '') as Activity
const { root, rebuild, jobs, graphFrom } = activity
const embedder = await loadEncoder([MODELS_FOLDER], DEFAULTS.encoder)
const words = wordsBeside(embedder)
const folder = indexFolderOf(root)
process.stdout.write('begin\n')
await build({
  settings: {
    root,
    encoder: embedder.name,
    fingerprint: embedder.fingerprint,
    dimensions: embedder.dimensions,
    titles: { fingerprint: words.fingerprint, dimensions: words.dimensions },
    include: [],
    exclude: [],
    maxFileBytes: DEFAULTS.maxFileBytes,
    history: true,
  },
  folder,
  embedder,
  jobs,
  rebuild,
  ...(graphFrom === undefined ? {} : { graphFrom }),
})
process.stdout.write('end\n')
process.exit(0)

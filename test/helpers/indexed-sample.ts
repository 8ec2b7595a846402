/** A small repository with an index, for all tests of a file. */
import { afterAll, beforeAll } from 'vitest'
import { buildIndex, openIndex, type HoneIndex } from '../../src/index.js'
import { makeSample } from '../spine/sample.js'
import { hone } from './command.js'

/** What is there once the tests run. */
export interface IndexedSample {
  readonly root: string
  readonly index: HoneIndex
}

/** Made before the first test of the file that calls this, removed after its last. Default files: those of makeSample. */
export function indexedSample(files?: Readonly<Record<string, string>>): IndexedSample {
  let made: (IndexedSample & { readonly remove: () => void }) | undefined
  beforeAll(async () => {
    const { root, remove } = makeSample(files)
    await buildIndex({ root, jobs: 0 })
    made = { root, index: await openIndex({ root }), remove }
  })
  afterAll(() => {
    made?.index.close()
    made?.remove()
  })
  return {
    get root() {
      return given(made).root
    },
    get index() {
      return given(made).index
    },
  }
}

/** The same, indexed by the real command and not opened. */
export function sampleOfCommand(): Pick<IndexedSample, 'root'> {
  let made: ReturnType<typeof makeSample> | undefined
  beforeAll(() => {
    made = makeSample()
    hone(['index', made.root])
  })
  afterAll(() => {
    made?.remove()
  })
  return {
    get root() {
      return given(made).root
    },
  }
}

function given<T>(made: T | undefined): T {
  if (made === undefined) throw new Error('asked for before the tests run')
  return made
}

/**
 * A signal of your own: something that hone cannot know about a file, here who owns it, added to the log-odds of its
 * relevance. A signal must be a pure function of the file and the task.
 */
import { openIndex, buildIndex } from 'hone-code'
import { folderToAsk } from './fixture.js'

// What a CODEOWNERS file, a coverage report or your editor's open tabs could say.
const OURS = ['src/notify/', 'src/parcels/']

/** @type {import('hone-code').CustomSignal} */
const owned = {
  name: 'owned-by-us',
  meaning: 'owned by our team',
  effect: 0.7, // log-odds for each unit of the value: the odds are doubled
  value: ({ path, isTest }) => (!isTest && OURS.some((folder) => path.startsWith(folder)) ? 1 : 0),
}

const root = folderToAsk()
await buildIndex({ root })
// Given here it counts for every task; given to `retrieve` or `start`, for that task.
const index = await openIndex({ root, signals: [owned] })
const { files } = await index.retrieve({ task: 'retry failed webhook deliveries', explain: true })
for (const { path, relevance, reason, evidence } of files) {
  const added = evidence.find(({ signal }) => signal === owned.name)
  console.log(
    `${relevance.toFixed(2)} ${path} ${added === undefined ? '' : `(${added.effect} for ${added.signal})`}`,
  )
  console.log(`     ${reason}`)
}
index.close()

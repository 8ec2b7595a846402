/** Before a change is finished: what else belongs to the file that was changed. */
import { buildIndex, openIndex } from 'hone-code'
import { folderToAsk } from './fixture.js'

const root = folderToAsk()
await buildIndex({ root })
const index = await openIndex({ root })
const [path = 'src/middleware/throttle.ts'] = process.argv.slice(3)
const { files } = index.related({ path, limit: 5 })
for (const file of files) console.log(`${file.relatedness} ${file.path}: ${file.reason}`)
index.close()

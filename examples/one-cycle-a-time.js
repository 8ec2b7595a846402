/** Show, judge, refine: each step by hand. */
import { buildIndex, openIndex } from 'hone-code'
import { folderToAsk } from './fixture.js'

const root = folderToAsk()
await buildIndex({ root })
const index = await openIndex({ root })

const session = index.start({ task: 'webhook deliveries and backoff delays', limit: 5 })
const first = await session.next()
console.log('first cycle:', first.files.map(({ path }) => path).join(', '))

const [best, ...rest] = first.files
if (best !== undefined) session.judge([{ path: best.path, relevant: true }])
const last = rest.at(-1)
if (last !== undefined && rest.length > 1) session.judge([{ path: last.path, relevant: false }])

while (session.stop === undefined) await session.next()
const answer = session.answer()
console.log('after judging:', answer.files.map(({ path, relevance }) => `${path} ${relevance}`).join(', '))
console.log('looked for:', answer.cycles.at(-1)?.query.keywords.join(' '))
index.close()

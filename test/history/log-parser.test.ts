import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LogParser, type LoggedCommit } from '../../src/history/log-parser.js'

const LOG = Buffer.from(
  [
    '\x01aa\0Add \x01 login\0\nA\0src/a.ts\0M\0\x01odd\nname\0',
    '\x01bb\0\0',
    '\x01cc\0größe\0\nR100\0old.ts\0new.ts\0D\0gone.ts\0T\0M\0',
  ].join(''),
)

function parsed(pieces: readonly Buffer[]): readonly LoggedCommit[] {
  const commits: LoggedCommit[] = []
  const parser = new LogParser((commit) => commits.push(commit))
  for (const piece of pieces) parser.push(piece)
  parser.end()
  return commits
}

describe('the parser of what git prints', () => {
  it('gives each commit with its changes, whatever subjects and names look like', () => {
    expect(parsed([LOG])).toEqual([
      {
        oid: 'aa',
        subject: 'Add \x01 login',
        touched: 2,
        changes: [
          { status: 'added', path: 'src/a.ts' },
          { status: 'kept', path: '\x01odd\nname' },
        ],
        renames: [],
      },
      { oid: 'bb', subject: '', touched: 0, changes: [], renames: [] },
      {
        oid: 'cc',
        subject: 'größe',
        touched: 3,
        changes: [
          { status: 'kept', path: 'new.ts' },
          { status: 'deleted', path: 'gone.ts' },
          { status: 'kept', path: 'M' },
        ],
        renames: [{ from: 'old.ts', to: 'new.ts' }],
      },
    ])
  })

  it('does not depend on how the output is cut into pieces', () => {
    const whole = parsed([LOG])
    fc.assert(
      fc.property(fc.array(fc.nat(LOG.length), { maxLength: 20 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), LOG.length]
        expect(parsed(at.slice(1).map((to, i) => LOG.subarray(at[i], to)))).toEqual(whole)
      }),
    )
  })

  it('gives no commit of which only a part has come, when git was ended', () => {
    const commits: LoggedCommit[] = []
    new LogParser((commit) => commits.push(commit)).push(LOG)
    expect(commits.map(({ oid }) => oid)).toEqual(['aa', 'bb'])
  })
})

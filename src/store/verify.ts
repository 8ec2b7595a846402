/** A look at everything an index holds, for `hone doctor`. A query looks at what it reads. */
import { damage, mapErrors, openDatabase, type Database } from './database.js'
import { Facts } from './facts.js'
import { IndexReader } from './index-reader.js'
import { storedCommits } from './past-writer.js'
import { LISTS } from './posting-lists.js'
import { RunReader } from './stored-runs.js'
import { TermDirectory } from './term-directory.js'

/** Throws INDEX_CORRUPT where anything in the database at `path` is not as it was written. Takes seconds where it is large. */
export function verifyIndex(path: string): void {
  const reader = new IndexReader(path)
  try {
    readAll(reader)
  } finally {
    reader.close()
  }
  const database = openDatabase(path, 'read')
  try {
    mapErrors(path, () => {
      checkStructure(database)
      checkPostings(database)
      storedCommits(database)
    })
  } finally {
    database.close()
  }
}

function readAll(reader: IndexReader): void {
  for (const { id } of reader.files()) {
    reader.chunksOf(id)
    reader.symbolsOf(id)
  }
  reader.skipped()
  reader.loadVectors()
  reader.past.subject(0)
}

/** SQLite's own check of its pages, keys and free space. */
function checkStructure(database: Database): void {
  const said = database.pragma('integrity_check(1)', { simple: true })
  if (said !== 'ok') throw damage(database.name, String(said).replaceAll('\n', ' '))
}

function checkPostings(database: Database): void {
  const directory = new TermDirectory(database, new Facts(database).terms)
  const runs = new RunReader(database, directory)
  for (const list of LISTS) {
    const terms = database.prepare('select term from postings where list = ?').pluck().all(list)
    if (terms.length !== directory.count(list)) throw damage(database.name, 'where words are found')
    for (const term of new Set(terms)) runs.read(list, String(term))
  }
}

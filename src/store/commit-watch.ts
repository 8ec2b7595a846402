/** Tells whether an index database has been committed to since, whoever did it, without moving a reader on. */
import { mapErrors, openDatabase, type Database, type Statement } from './database.js'

export class CommitWatch {
  readonly #database: Database
  readonly #generation: Statement

  /** Throws as opening an index does. */
  constructor(readonly path: string) {
    this.#database = openDatabase(path, 'read')
    this.#generation = mapErrors(path, () =>
      this.#database.prepare("select value from meta where key = 'generation'").pluck(),
    )
  }

  /** Another value after every commit. */
  generation(): string {
    return String(mapErrors(this.path, () => this.#generation.get()))
  }

  close(): void {
    this.#database.close()
  }
}

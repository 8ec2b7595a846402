import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests that run the command need it compiled.
    globalSetup: ['test/helpers/build-when-stale.ts'],
    // Native modules (tree-sitter, better-sqlite3) are not safe in worker threads that share a process image.
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

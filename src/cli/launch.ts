#!/usr/bin/env node
/** What `hone` starts: the bundled command (scripts/bundle-cli.js), through its code cache. */
import { fileURLToPath } from 'node:url'
import { runWithCodeCache } from './code-cache.js'

runWithCodeCache(fileURLToPath(new URL('./hone.cjs', import.meta.url)))

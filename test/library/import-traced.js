/**
 * Imports the module named on the command line and prints, as JSON, all that doing so did: calls of node:fs and
 * node:child_process, native modules loaded, what keeps the process alive, globals and listeners added.
 */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import workers from 'node:worker_threads'

const calls = []
for (const [name, module] of Object.entries({ fs, childProcess, net, workers })) {
  for (const [key, value] of Object.entries(module)) {
    const isOurs = Object.getOwnPropertyDescriptor(module, key)?.writable === true
    if (typeof value !== 'function' || key.startsWith('_') || !isOurs) continue
    if (/^[A-Z]/.test(key)) {
      module[key] = new Proxy(value, {
        construct: (target, args) => {
          calls.push(`${name}.${key}`)
          return Reflect.construct(target, args)
        },
      })
    } else {
      module[key] = function (...args) {
        calls.push(`${name}.${key} ${String(args[0])}`)
        return value.apply(this, args)
      }
    }
  }
}
syncBuiltinESMExports()

const native = () => process.report.getReport().sharedObjects
const state = () => ({
  globals: Object.getOwnPropertyNames(globalThis),
  listeners: process.eventNames().map((event) => `${String(event)} ${process.listenerCount(event)}`),
  alive: process.getActiveResourcesInfo().filter((resource) => !/FSReq|CloseReq/.test(resource)),
  environment: JSON.stringify(process.env),
})
const before = { native: native(), ...state() }
calls.length = 0
const exported = Object.keys(await import(process.argv[2]))
const done = [...calls]
const after = { native: native(), ...state() }
process.stdout.write(JSON.stringify({ exported, calls: done, before, after }))

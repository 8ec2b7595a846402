/** For `node --import`: lets node run the TypeScript of scripts/bench on the built product (see typescript-hooks.js). */
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)

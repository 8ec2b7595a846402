/** What a large repository is asked: everyday tasks, names, and a third that consist of the words nearly every file holds. */

/** Words that stand in most chunks of most languages: their posting lists are as long as lists get. */
const FREQUENT = [
  'get the value of the string name',
  'return new data type from the list',
  'set test value if error is not nil',
  'function returns the default name of this type',
  'add a new test for the error value',
  'get file name and path as string',
  'create new object with id and name',
  'the first value in a list of strings',
  'public static string get name',
  'return true if the value is equal to the other',
  'set the size of the data and return it',
  'import type from the test file',
  'check that the result of the call is a number',
  'new list of items with key and value',
  'call the function with the given args and options',
  'code that reads the data and returns an error',
  'update state and return the new value',
]

const EVERYDAY = [
  'add rate limiting to API endpoints',
  'fix auth token expiry bug',
  'where is the configuration file parsed',
  'retry failed requests with exponential backoff',
  'connection pool exhausted under load',
  'parse command line arguments',
  'escape HTML in templates',
  'add pagination to the list endpoint',
  'how are database migrations run',
  'cache invalidation after an update',
  'websocket reconnect loses messages',
  'validate e-mail addresses in the sign-up form',
  'JSON numbers lose precision',
  'memory leak in event listeners',
  'read environment variables with defaults',
  'compress responses with gzip',
  'upload large files in chunks',
  'log requests with a correlation id',
  'deadlock between two transactions',
  'sort a table by several columns',
  'time zone conversion is off by one hour',
  'resolve symlinks when copying a folder',
  'render markdown to the terminal',
  'syntax highlighting of code blocks',
  'graceful shutdown on SIGTERM',
  'decode base64 url safe strings',
  'lexer does not accept nested comments',
  'garbage collect unused nodes of the tree',
]

const NAMES = ['HttpClient', 'parseOptions', 'ConnectionPool', 'read_config', 'TokenBucket throttle']

export const TASKS: readonly string[] = interleaved(FREQUENT, EVERYDAY, NAMES)

/** One of each in turn, so that a third of any stretch is of the first kind. */
function interleaved(...lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
}

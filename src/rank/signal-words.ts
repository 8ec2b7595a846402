/** What each signal says, for people. A test holds that every signal of signals.ts has its words here. */

const COMPARED: Readonly<Record<string, string>> = {
  body: 'words in the text of its best parts',
  names: 'words in the names it defines',
  comment: 'words in its comments',
  'whole-file': 'words in the text as a whole',
  'all-fields': 'words anywhere in it',
  'file-name': 'words in its file name',
  folder: 'words in the names of its folders',
  'cosine.best': 'nearness of meaning of its best part',
  'cosine.sum': 'nearness of meaning of its best parts together',
  'past.sum': 'what past commits that touched it say, together',
  'past.best': 'what the best past commit that touched it says',
}

const SINGLE: Readonly<Record<string, string>> = {
  'body.raw': 'words in the text of its best parts, beside what the task could give',
  'body.best.raw': 'words in its best part, beside what the task could give',
  'body.second.raw': 'words in its second best part, beside what the task could give',
  'names.raw': 'words in the names it defines, beside what the task could give',
  'names.best.raw': 'words in the best name it defines, beside what the task could give',
  'comment.raw': 'words in its comments, beside what the task could give',
  'whole-file.raw': 'words in the text as a whole, beside what the task could give',
  'file-name.raw': 'words in its file name, beside what the task could give',
  'folder.raw': 'words in the names of its folders, beside what the task could give',
  'cosine.best.raw': 'nearness of meaning of its best part (cosine)',
  'cosine.second.raw': 'nearness of meaning of its second best part (cosine)',
  'past.sum.raw': 'what past commits that touched it say, beside what the task could give',
  'past.best.raw': 'what the best past commit says, beside what the task could give',
  coverage: 'share of the task, by rarity of its words, that is in the file',
  'coverage.names': 'share of the task that is in its names and path',
  'coverage.chunk': 'share of the task that stands together in one part of it',
  'coverage.rarest': 'the rarest word of the task (0 absent, 1 in the text, 2 in a name)',
  'coverage.terms': 'words of the task in the file',
  'fit.file-name': 'share of its file name that the task says',
  'fit.names': 'share of the best name it defines that the task says',
  'defines.symbol': 'names that the task spells out and it defines',
  'named.path': 'the task points at this file (1 yes, 0 no)',
  'pointed-at': 'symbols it defines that a relevant file uses',
  'file.test': 'it is a test (1 yes, 0 no)',
  'file.document': 'it is a document (1 yes, 0 no)',
  'file.generated': 'it is generated (1 yes, 0 no)',
  'file.data': 'it is data (1 yes, 0 no)',
  'file.barrel': 'it only passes on what others define (1 yes, 0 no)',
  'file.size': 'its size (parts, log2)',
  'file.depth': 'folders above it',
  'past.known': 'the index holds past commits (1 yes, 0 no)',
  'past.commits': 'past commits that touched it (log2)',
  'query.terms': 'words of the task that the index holds',
  'query.rarity': 'how rare the words of the task are',
  'query.cosine': 'nearness of meaning of the best candidate',
  'index.files': 'files of the index (log2)',
}

/** The meaning of a signal in words; its name where there are none. */
export function signalInWords(signal: string): string {
  const single = SINGLE[signal]
  if (single !== undefined) return single
  const score = COMPARED[signal.replace(/\.(?:share|rank)$/, '')]
  if (score === undefined) return signal
  return signal.endsWith('.rank')
    ? `${score}: 1 / rank among the candidates`
    : `${score}: share of the best candidate's`
}

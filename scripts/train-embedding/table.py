"""A word table in memory: reading words.bin, and which rows stand for an identifier (as src/embed/static-embedder.ts does)."""
import itertools, os, sys
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
from make_static_table import reduce_dims, write_table  # noqa: E402,F401  (one writer for both)

MIN_PIECE, MAX_WORD = 3, 40  # src/embed/segment.ts


def read_table(path):
    """-> words, levels (count x dims int8), factor (count f32)."""
    raw = open(path, 'rb').read()
    assert raw[:8] == b'HONEWORD'
    version, count, dims, word_bytes = np.frombuffer(raw, '<u4', 4, 8)
    assert version == 2
    words = raw[56:56 + word_bytes].rstrip(b'\0').decode().split('\n')
    factor = np.frombuffer(raw, '<f4', count, 56 + word_bytes)
    padded = -(-int(dims) // 16) * 16
    rows = np.frombuffer(raw, np.int8, -1, 56 + int(word_bytes) + 4 * int(count)).reshape(int(count), 4 + padded)
    return words, rows[:, 4:4 + int(dims)], factor


class Vocabulary:
    def __init__(self, words):
        self.words = words
        self.row = {word: i for i, word in enumerate(words)}
        self.cut = {}

    def segment(self, word):
        """The cut of src/embed/segment.ts: fewest known pieces, ties to the longest first piece."""
        known = self.cut.get(word)
        if known is None:
            known = self.cut[word] = self._segment(word)
        return known

    def _segment(self, word):
        n = len(word)
        if n < 2 * MIN_PIECE or n > MAX_WORD:
            return []
        best, following = [None] * (n + 1), [0] * (n + 1)
        best[n] = 0
        for i in range(n - MIN_PIECE, -1, -1):
            for end in range(n, i + MIN_PIECE - 1, -1):
                if best[end] is not None and (best[i] is None or best[end] + 1 < best[i]) and word[i:end] in self.row:
                    best[i], following[i] = best[end] + 1, end
        if best[0] is None:
            return []
        pieces, i = [], 0
        while i < n:
            pieces.append(self.row[word[i:following[i]]])
            i = following[i]
        return pieces

    def rows_of(self, joined, parts):
        row = self.row.get(joined)
        if row is not None:
            return [row]
        found = []
        for part in parts:
            row = self.row.get(part)
            found += [row] if row is not None else self.segment(part)
        return found


def read_identifiers(path):
    """-> [(joined, parts)] by id."""
    found = []
    with open(path, encoding='utf-8', newline='\n') as f:
        for line in f:
            fields = line.rstrip('\n').split('\t')
            found.append((fields[1], fields[2].split(' ') if fields[2] else []))
    return found


class Rows:
    """Identifier ids of one shard -> table rows, for whole arrays at once."""

    def __init__(self, identifiers, vocabulary):
        lists = [vocabulary.rows_of(joined, parts) for joined, parts in identifiers]
        self.start = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(rows) for rows in lists], out=self.start[1:])
        self.flat = np.array([row for rows in lists for row in rows], np.int64)
        self.size = len(vocabulary.words)

    def texts(self, bags):
        """bags: lists id, count, id, count, ... -> CSR (indptr, rows int32, 1 + ln count float32)."""
        lengths = np.array([len(bag) // 2 for bag in bags], np.int64)
        flat = np.fromiter(itertools.chain.from_iterable(bags), np.int64, 2 * int(lengths.sum())).reshape(-1, 2)
        return self.of_flat(np.repeat(np.arange(len(bags)), lengths), flat[:, 0], flat[:, 1], len(bags))

    def of_flat(self, text, identifier, count, texts):
        n = self.start[identifier + 1] - self.start[identifier]
        entry = ragged(self.start[identifier], n)
        key = np.repeat(text, n) * self.size + self.flat[entry]
        unique, inverse = np.unique(key, return_inverse=True)
        total = np.bincount(inverse, np.repeat(count, n), len(unique))
        owner = unique // self.size
        indptr = np.zeros(texts + 1, np.int64)
        np.cumsum(np.bincount(owner, minlength=texts), out=indptr[1:])
        keep = total > 0
        if not keep.all():
            unique, total, owner = unique[keep], total[keep], owner[keep]
            indptr[1:] = np.cumsum(np.bincount(owner, minlength=texts))
        return indptr, (unique % self.size).astype(np.int32), (1 + np.log(total)).astype(np.float32)


def ragged(starts, lengths):
    """Indices of runs: starts[i] .. starts[i] + lengths[i] - 1, one run after the other."""
    total = int(lengths.sum())
    if total == 0:
        return np.zeros(0, np.int64)
    ends = np.cumsum(lengths)
    return np.arange(total) - np.repeat(ends - lengths, lengths) + np.repeat(starts, lengths)


def served(vectors):
    """What is left of weighted vectors after the file format: int8 levels x factor."""
    peak = np.abs(vectors).max(axis=1, keepdims=True)
    peak[peak == 0] = 1
    return np.round(vectors / peak * 127) * (peak / 127)

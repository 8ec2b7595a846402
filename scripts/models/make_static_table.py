#!/usr/bin/env python3
"""Make models/hone-static-1 from word vectors: reduce by PCA, weigh words by rarity, write one binary file.

usage: make_static_table.py --words DIR --corpus DIR [--corpus DIR ...] --out DIR [--dims 256]

--words   folder with words.txt (one lower-case word a line) and vectors.i8 (count x 768 int8, row-major)
--corpus  folders of source code whose words are counted for the weights (any public code outside the benchmark)

File format (little endian), read by src/embed/static-table.ts:
  8 bytes "HONEWORD" | u32 version=2 | u32 count | u32 dims | u32 bytes of words
  32 bytes         SHA-256 of everything after it
  words, UTF-8, sorted, joined by "\n", padded with zero bytes to a multiple of 4
  f32[count]       factor: one occurrence of a word adds factor * its int8 row (weight and scale in one)
  count rows       f32 that makes the row's length 1, then dims int8 padded with zeros to a multiple of 16
"""
import argparse, collections, hashlib, json, os, re
import numpy as np

SIF_A = 1e-3  # Arora et al. 2017, "a simple but tough-to-beat baseline": weight = a / (a + p(word))
CODE = re.compile(r'\.(ts|js|mjs|py|c|h|cc|cpp|hpp|java|go|rs|rb|php|cs|kt|scala|swift|lua|sh|ex|hs|zig)$')
IDENTIFIER = re.compile(r'[A-Za-z0-9]+')
PART = re.compile(r'[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+')

def word_counts(folders, limit_bytes=300_000_000):
    counts, seen = collections.Counter(), 0
    for folder in folders:
        for base, dirs, files in os.walk(folder):
            dirs.sort()
            for name in sorted(files):
                path = os.path.join(base, name)
                if not CODE.search(name) or name.endswith('.min.js') or os.path.getsize(path) > 300_000:
                    continue
                text = open(path, encoding='utf-8', errors='ignore').read()
                seen += len(text)
                for identifier, n in collections.Counter(IDENTIFIER.findall(text)).items():
                    for part in PART.findall(identifier):
                        counts[part.lower()] += n
                if seen > limit_bytes:
                    return counts
    return counts

def reduce_dims(vectors, dims):
    """Centre, then project on the first `dims` principal directions. count x 768 -> count x dims, unit rows."""
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors - vectors.mean(axis=0)
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    reduced = vectors @ directions[:, ::-1][:, :dims]
    return reduced / np.linalg.norm(reduced, axis=1, keepdims=True)

def write_table(path, words, vectors, weights):
    """words: sorted; vectors: count x dims float; weights: count floats. Returns bytes written."""
    assert words == sorted(words) and len(words) == len(vectors) == len(weights)
    peak = np.abs(vectors).max(axis=1)
    rows = np.round(vectors / peak[:, None] * 127).astype(np.int8)
    factor = (weights * peak / 127).astype('<f4')
    unit = (1 / np.linalg.norm(rows.astype(np.float64), axis=1)).astype('<f4')
    padded = np.zeros((len(words), -(-vectors.shape[1] // 16) * 16), np.int8)
    padded[:, :vectors.shape[1]] = rows
    blob = '\n'.join(words).encode()
    blob += b'\0' * (-len(blob) % 4)
    body = blob + factor.tobytes() + np.hstack([unit.view(np.int8).reshape(-1, 4), padded]).tobytes()
    with open(path, 'wb') as f:
        f.write(b'HONEWORD' + np.array([2, len(words), vectors.shape[1], len(blob)], '<u4').tobytes())
        f.write(hashlib.sha256(body).digest() + body)
    return os.path.getsize(path)

def main():
    p = argparse.ArgumentParser()
    p.add_argument('--words', required=True); p.add_argument('--corpus', action='append', required=True)
    p.add_argument('--out', required=True); p.add_argument('--dims', type=int, default=256)
    a = p.parse_args()
    words = open(os.path.join(a.words, 'words.txt'), encoding='utf-8').read().split('\n')
    words = [w for w in words if w]
    raw = np.fromfile(os.path.join(a.words, 'vectors.i8'), np.int8).reshape(len(words), -1).astype(np.float32)
    counts = word_counts(a.corpus)
    total = sum(counts.values())
    weights = np.array([SIF_A / (SIF_A + counts[w] / total) for w in words])
    os.makedirs(a.out, exist_ok=True)
    path = os.path.join(a.out, 'words.bin')
    size = write_table(path, words, reduce_dims(raw, a.dims), weights)
    sha = hashlib.sha256(open(path, 'rb').read()).hexdigest()
    print(json.dumps({'count': len(words), 'dims': a.dims, 'bytes': size, 'sha256': sha, 'corpus_words': total}))

if __name__ == '__main__':
    main()

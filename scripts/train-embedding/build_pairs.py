"""Turns mined shards into arrays for one vocabulary: pairs.npz-like folder of .npy files, and the vocabulary itself.

usage: build_pairs.py --pairs DIR --words DIR --out DIR [--grow N] [--what code,commits]

--words  folder with words.txt and vectors.i8 (768 dims) to start from
--grow   words at most that are added because mined code uses them and the table lacks them (0: none)
"""
import argparse, collections, glob, json, os, zlib
import numpy as np
from table import Rows, Vocabulary, ragged, read_identifiers, reduce_dims

MIN_REPOSITORIES, MIN_COUNT = 6, 40  # a word that fewer projects use is a name of theirs
SIF_A = 1e-3  # scripts/models/make_static_table.py


def read_shard(path):
    documents, pairs = [], []
    for line in open(path, encoding='utf-8'):
        item = json.loads(line)
        (documents if item[0] == 'd' else pairs).append(item)
    return documents, pairs


def shards_of(folder, what):
    done = sorted(p for w in what for p in glob.glob(os.path.join(folder, f'*.{w}.json')))
    found = [(p[:-5], json.load(open(p, encoding='utf-8'))) for p in done]
    return [(base, about) for base, about in found if about['pairs'] > 0]


def new_words(shards, words, most):
    known, count, repositories = set(words), collections.Counter(), collections.defaultdict(set)
    for base, about in shards:
        identifiers = read_identifiers(base + '.idents')
        held = []
        for line in open(base + '.jsonl', encoding='utf-8'):
            item = json.loads(line)
            for bag in (item[1:4] if item[0] == 'd' else [item[2]]):
                held += bag[::2]
        used = np.bincount(held, minlength=len(identifiers))
        for (_, parts), n in zip(identifiers, used):
            for part in set(parts):
                if part not in known and 2 <= len(part) <= 24 and not part.isdigit() and n > 0:
                    count[part] += n
                    repositories[part].add(about['repo'])
    fit = [w for w in count if count[w] >= MIN_COUNT and len(repositories[w]) >= MIN_REPOSITORIES
           and any(c.isalpha() for c in w)]
    return sorted(fit, key=lambda w: (-len(repositories[w]), -count[w], w))[:most]


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--pairs', required=True); p.add_argument('--words', required=True); p.add_argument('--out', required=True)
    p.add_argument('--grow', type=int, default=0); p.add_argument('--what', default='code,commits')
    p.add_argument('--dims', type=int, default=256)
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    old = [w for w in open(os.path.join(a.words, 'words.txt'), encoding='utf-8').read().split('\n') if w]
    raw = np.fromfile(os.path.join(a.words, 'vectors.i8'), np.int8).reshape(len(old), -1).astype(np.float32)
    start = reduce_dims(raw, a.dims)
    shards = shards_of(a.pairs, a.what.split(','))
    added = new_words(shards, old, a.grow) if a.grow else []
    words = sorted(old + added)
    vocabulary, before = Vocabulary(words), Vocabulary(old)
    vectors = np.zeros((len(words), a.dims), np.float32)
    vectors[[vocabulary.row[w] for w in old]] = start
    for w in added:  # a cut of known pieces, else left to the mean of its texts below
        pieces = before.segment(w)
        if pieces:
            v = start[pieces].mean(axis=0)
            vectors[vocabulary.row[w]] = v / np.linalg.norm(v)
    parts = collections.defaultdict(list)
    kinds, repositories, counts, next_document = {}, [], np.zeros(len(words)), 0
    context, context_words = np.zeros((len(words), a.dims), np.float32), set(vocabulary.row[w] for w in added)
    orphan = np.zeros(len(words), bool)
    orphan[[vocabulary.row[w] for w in added if not before.segment(w)]] = True
    for base, about in shards:
        documents, pairs = read_shard(base + '.jsonl')
        if not pairs:
            continue
        if about['repo'] not in repositories:
            repositories.append(about['repo'])
        rows = Rows(read_identifiers(base + '.idents'), vocabulary)
        queries = rows.texts([pair[2] for pair in pairs])
        texts = []
        for _, kind, _, at, with_comments, without in pairs:
            _, head, code, comment = documents[at]
            bag = head + code + (comment if with_comments else [])
            if without:
                bag = [x for i in range(0, len(bag), 2) if bag[i] not in without for x in bag[i:i + 2]]
            texts.append(bag)
        docs = rows.texts(texts)
        for side, (indptr, ids, weight) in (('q', queries), ('d', docs)):
            parts[side + '_length'].append(np.diff(indptr))
            parts[side + '_rows'].append(ids)
            parts[side + '_weight'].append(weight)
            counts += np.bincount(ids, np.exp(weight - 1), len(words))
        for pair in pairs:
            kinds.setdefault(pair[1], len(kinds))
        parts['kind'].append(np.array([kinds[pair[1]] for pair in pairs], np.int16))
        parts['repo'].append(np.full(len(pairs), repositories.index(about['repo']), np.int16))
        parts['document'].append(np.array([pair[3] for pair in pairs], np.int64) + next_document)
        parts['query'].append(np.array([zlib.crc32(repr(pair[2]).encode()) for pair in pairs], np.int64))
        next_document += len(documents)
        indptr, ids, weight = docs
        if orphan[ids].any():
            owner = np.repeat(np.arange(len(pairs)), np.diff(indptr))
            for i in np.unique(owner[orphan[ids]])[:4000]:
                mine = ids[indptr[i]:indptr[i + 1]]
                mean = vectors[mine].mean(axis=0)
                context[mine[orphan[mine]]] += mean / (np.linalg.norm(mean) + 1e-9)
    norm = np.linalg.norm(context, axis=1)
    common = context.sum(axis=0) / max(1, np.linalg.norm(context.sum(axis=0)))
    for row in np.flatnonzero(orphan):
        v = context[row] - (context[row] @ common) * common if norm[row] > 0 else np.ones(a.dims)
        vectors[row] = v / (np.linalg.norm(v) + 1e-9)
    weights = SIF_A / (SIF_A + counts / counts.sum())
    for name, arrays in parts.items():
        np.save(os.path.join(a.out, name + '.npy'), np.concatenate(arrays))
    np.save(os.path.join(a.out, 'start.npy'), vectors)
    np.save(os.path.join(a.out, 'sif.npy'), weights.astype(np.float32))
    np.save(os.path.join(a.out, 'counts.npy'), counts)
    about = {'words': len(words), 'added': len(added), 'kinds': list(kinds), 'repositories': repositories,
             'pairs': int(sum(map(len, parts['kind']))), 'what': a.what.split(',')}
    json.dump(about, open(os.path.join(a.out, 'about.json'), 'w'))
    open(os.path.join(a.out, 'words.txt'), 'w', encoding='utf-8').write('\n'.join(words))
    print(json.dumps({**about, 'repositories': len(repositories)}), flush=True)


if __name__ == '__main__':
    main()

"""Scores word tables on the benchmark: embedding alone, best chunk of a file, NDCG@10 by file.

usage: score.py --eval DIR [--sets queries,commits] words.bin ...      (DIR: made by dump-checkouts.js)

Prints the mean over queries with a 95 % bootstrap interval over repositories. `plain` only when asked for.
"""
import argparse, glob, hashlib, json, os, pickle
import numpy as np
import torch
import torch.nn.functional as F
from table import Rows, Vocabulary, read_identifiers, read_table


class Checkout:
    def __init__(self, path, vocabulary):
        self.name = os.path.basename(path)[:-6]
        rows = Rows(read_identifiers(path[:-6] + '.idents'), vocabulary)
        self.paths, self.languages, owner, bags, self.tasks, queries = [], [], [], [], [], []
        for line in open(path, encoding='utf-8'):
            item = json.loads(line)
            if 'path' in item:
                owner += [len(self.paths)] * len(item['chunks'])
                bags += [chunk['text'] for chunk in item['chunks']]
                self.paths.append(item['path'])
                self.languages.append(item['language'])
            else:
                self.tasks.append(item)
                queries.append(item['query'])
        self.owner = torch.tensor(owner)
        self.chunks, self.queries = rows.texts(bags), rows.texts(queries)


def checkouts(folder, vocabulary, layouts):
    """Kept beside the dump for the same words: mapping them takes longer than scoring."""
    paths = sorted(p for layout in layouts for p in glob.glob(os.path.join(folder, layout + '-*.jsonl')))
    key = hashlib.sha256('\n'.join([*vocabulary.words, *paths]).encode()).hexdigest()[:12]
    cache = os.path.join(folder, f'mapped-{key}.pickle')
    if os.path.exists(cache):
        return pickle.load(open(cache, 'rb'))
    loaded = [Checkout(path, vocabulary) for path in paths]
    pickle.dump(loaded, open(cache, 'wb'))
    return loaded


def embed(csr, table):
    indptr, rows, weight = csr
    summed = F.embedding_bag(torch.from_numpy(rows.astype(np.int64)), table, torch.from_numpy(indptr[:-1]),
                             mode='sum', per_sample_weights=torch.from_numpy(weight))
    return F.normalize(summed, dim=1)


def matches(path, label):
    return path == label or path.endswith('/' + label) or label.endswith('/' + path)


def ndcg(paths, labels, k=10):
    """scripts/bench/metrics.ts: a label counts once."""
    still, total = list(labels), 0.0
    for i, path in enumerate(paths[:k]):
        label = path if path in still else next((x for x in still if matches(path, x)), None)
        if label is not None:
            still.remove(label)
            total += 1 / np.log2(i + 2)
    return total / sum(1 / np.log2(i + 2) for i in range(min(k, len(labels))))


def scores(checkout, table, sets):
    """-> [(set, category, ndcg)] of one checkout."""
    at = [i for i, task in enumerate(checkout.tasks) if task['set'] in sets]
    if not at:
        return []
    cosine = embed(checkout.queries, table)[at] @ embed(checkout.chunks, table).T
    best = torch.full((len(at), len(checkout.paths)), -1.0)
    best.scatter_reduce_(1, checkout.owner.expand(len(at), -1), cosine, 'amax')
    found = []
    for row, i in enumerate(at):
        task, value = checkout.tasks[i], best[row].numpy()
        top = sorted((p for p in range(len(value)) if value[p] > 0), key=lambda p: (-value[p], checkout.paths[p]))[:10]
        found.append((task['set'], task['category'], ndcg([checkout.paths[p] for p in top], task['labels'])))
    return found


def evaluate(all_checkouts, table, sets):
    """table: count x dims float tensor of weighted rows. -> {set: [per repository list of scores]}"""
    result = {name: [] for name in sets}
    for checkout in all_checkouts:
        own = scores(checkout, table, sets)
        for name in sets:
            values = [value for which, _, value in own if which == name]
            if values:
                result[name].append(values)
    return result


def mean_of(groups):
    return float(np.mean([x for group in groups for x in group]))


def interval(groups, rounds=2000, seed=0):
    random = np.random.default_rng(seed)
    sums, counts = np.array([sum(g) for g in groups]), np.array([len(g) for g in groups])
    pick = random.integers(0, len(groups), (rounds, len(groups)))
    return np.percentile(sums[pick].sum(1) / counts[pick].sum(1), [2.5, 97.5])


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--eval', required=True)
    p.add_argument('--sets', default='queries')
    p.add_argument('--each', action='store_true', help='also print each repository')
    p.add_argument('tables', nargs='+')
    a = p.parse_args()
    torch.set_num_threads(2)
    sets = a.sets.split(',')
    layouts = sorted({'commits' if name == 'commits' else 'queries' for name in sets})
    for path in a.tables:
        words, levels, factor = read_table(path)
        table = torch.from_numpy(levels.astype(np.float32) * factor[:, None])
        loaded = checkouts(a.eval, Vocabulary(words), layouts)
        for name, groups in evaluate(loaded, table, sets).items():
            low, high = interval(groups)
            print(f'{path} {name} {mean_of(groups):.4f} [{low:.3f}, {high:.3f}] '
                  f'{sum(map(len, groups))} tasks, {len(groups)} repositories', flush=True)
            if a.each:
                print('  ' + ' '.join(f'{np.mean(g):.3f}' for g in groups))


if __name__ == '__main__':
    main()

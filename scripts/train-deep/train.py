"""Fits the model of the deep step and scores it in the folds of models/relevance-1.

usage: train.py --rows FILE --folds models/relevance-1/trained-on.json --out DIR [--kinds query,commit] [--score-only kinds]

--rows: what deep-rows.js wrote. Out: trees.bin (all repositories), folds/N/trees.bin (without those of fold N),
scores.json. The model is logistic: one weight a signal and a constant. How much nearness weighs beside the relevance
before is chosen by order (NDCG@10 of the training repositories), the rest by likelihood: order first, then calibration.
"""

import argparse
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'train-relevance'))
from honetree import write_trees

# As in train-relevance: a labelled query is surer than a commit.
WEIGHTS = {'query': 1.0, 'commit': 0.5}
# Log-odds that a cosine of 1 above the mean is worth.
WORTH = [0, 1, 2, 3, 4, 5, 6]
ORDERING = ['before', 'deep.nearness']
DISCOUNT = 1 / np.log2(np.arange(10) + 2)
# A file keeps its relevance from here on (session.ts).
HIGH = np.log(0.8 / 0.2)
# Best relevance below which `auto` looks deeper, to compare.
THRESHOLDS = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9]


class Task:
    def __init__(self, told, fold):
        self.kind, self.total, self.fold, self.repository = told['kind'], told['total'], fold, told['repository']
        self.rows = np.array(told['rows'], float)
        self.labels = np.array(told['labels'])
        self.rest = np.array([r[0] for r in told['rest']])
        self.rest = np.log(self.rest / (1 - self.rest))
        self.all_labels = np.concatenate([self.labels, [r[1] for r in told['rest']]])

    def ndcg(self, scores):
        everything = np.concatenate([scores, self.rest])
        first = np.argsort(-everything, kind='stable')[:10]
        count = min(10, self.total)
        return (self.all_labels[first] * DISCOUNT[: len(first)]).sum() / DISCOUNT[:count].sum() if count else 0.0


def main():
    p = argparse.ArgumentParser()
    for name in ('rows', 'folds', 'out'):
        p.add_argument(f'--{name}', required=True)
    p.add_argument('--kinds', default='query,commit', help='trained on and scored')
    p.add_argument('--score-only', default='', help='only scored; plain words, for the last look')
    args = p.parse_args()
    told = json.load(open(args.rows))
    folds = json.load(open(args.folds))['folds']
    signals = told['signals']
    tasks = [Task(t, folds[t['repository']]) for t in told['tasks'] if t['rows']]
    trained = [t for t in tasks if t.kind in args.kinds.split(',')]
    models = {f: fit([t for t in trained if t.fold != f], signals) for f in sorted(set(folds.values()))}
    for f, model in models.items():
        export(model, told, os.path.join(args.out, 'folds', str(f)))
    final = fit(trained, signals)
    export(final, told, args.out)
    print({name: round(float(w), 3) for name, w in zip([*signals, 'constant'], final)})
    scores = {kind: report(kind, [t for t in tasks if t.kind == kind], models, signals) for kind in kinds_of(args)}
    json.dump({'weights': dict(zip([*signals, 'constant'], final.tolist())), 'scores': scores}, open(os.path.join(args.out, 'scores.json'), 'w'), indent=1)


def kinds_of(args):
    return [kind for kind in f'{args.kinds},{args.score_only}'.split(',') if kind]


def fit(tasks, signals):
    """One weight a signal, and the constant."""
    before, nearness = (signals.index(name) for name in ORDERING)
    worth = max(WORTH, key=lambda w: (mean_by_kind(tasks, lambda t: t.rows[:, before] + w * t.rows[:, nearness]), -w))
    others = [s for s in range(len(signals)) if s not in (before, nearness)]
    values = np.concatenate([np.c_[t.rows[:, before] + worth * t.rows[:, nearness], t.rows[:, others], np.ones(len(t.rows))] for t in tasks])
    labels = np.concatenate([t.labels for t in tasks])
    weights = np.concatenate([np.full(len(t.labels), WEIGHTS[t.kind]) for t in tasks])
    theta = logistic(values, labels, weights)
    model = np.zeros(len(signals) + 1)
    model[before], model[nearness] = theta[0], theta[0] * worth
    model[others], model[-1] = theta[1:-1], theta[-1]
    return model


def mean_by_kind(tasks, score):
    kinds = sorted({t.kind for t in tasks})
    return round(float(np.mean([np.mean([t.ndcg(score(t)) for t in tasks if t.kind == kind]) for kind in kinds])), 4)


def logistic(values, labels, weights, rounds=30):
    """Weights of the largest likelihood, by Newton's method."""
    theta = np.zeros(values.shape[1])
    for _ in range(rounds):
        p = sigmoid(values @ theta)
        slope = values.T @ (weights * (p - labels))
        curve = (values * (weights * p * (1 - p))[:, None]).T @ values + 1e-6 * np.eye(len(theta))
        theta = theta - np.linalg.solve(curve, slope)
    return theta


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def report(kind, tasks, models, signals):
    before = [t.rows[:, signals.index('before')] for t in tasks]
    after = [np.where(b >= HIGH, b, t.rows @ models[t.fold][:-1] + models[t.fold][-1]) for t, b in zip(tasks, before)]
    ndcg_before = np.array([t.ndcg(b) for t, b in zip(tasks, before)])
    gain = np.array([t.ndcg(a) for t, a in zip(tasks, after)]) - ndcg_before
    best = np.array([sigmoid(b.max()) for b in before])
    labels = np.concatenate([t.labels for t in tasks])
    scores = {
        'tasks': len(tasks),
        'ndcg@10': [round(float(ndcg_before.mean()), 4), round(float((ndcg_before + gain).mean()), 4)],
        'gain': [round(float(x), 4) for x in (gain.mean(), *interval(gain, [t.repository for t in tasks]))],
        'unsure': {f'<{t}': [round(float(np.where(best < t, gain, 0).mean()), 4), round(float((best < t).mean()), 3)] for t in THRESHOLDS},
        'ece': [calibration_error(sigmoid(np.concatenate(x)), labels) for x in (before, after)],
        'high right': [high_right(sigmoid(np.concatenate(x)), labels) for x in (before, after)],
    }
    print(kind, scores, flush=True)
    return scores


def interval(gain, repositories, times=2000):
    """95 % of the mean, by drawing repositories."""
    random = np.random.default_rng(7)
    names = sorted(set(repositories))
    at = {name: n for n, name in enumerate(names)}
    which = np.array([at[r] for r in repositories])
    sums, counts = np.bincount(which, gain), np.bincount(which)
    draws = random.integers(0, len(names), (times, len(names)))
    means = sums[draws].sum(1) / counts[draws].sum(1)
    return np.quantile(means, 0.025), np.quantile(means, 0.975)


def calibration_error(p, labels, bins=10):
    at = np.minimum((p * bins).astype(int), bins - 1)
    inside = [at == b for b in range(bins) if (at == b).any()]
    return round(float(sum(i.mean() * abs(p[i].mean() - labels[i].mean()) for i in inside)), 4)


def high_right(p, labels):
    high = p >= 0.8
    return [round(float(labels[high].mean()), 3), int(high.sum())] if high.any() else None


def export(model, told, folder):
    """A model without splits: one tree that is a leaf holds the constant, the weights stand beside it."""
    os.makedirs(folder, exist_ok=True)
    head = {'signalsVersion': told['version'], 'signals': told['signals'], 'added': dict(zip(told['signals'], model[:-1].tolist()))}
    write_trees(os.path.join(folder, 'trees.bin'), head, [(float(model[-1]), float(model[-1]), 0, 0)], [0])


if __name__ == '__main__':
    main()

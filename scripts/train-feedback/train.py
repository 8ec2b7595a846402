"""Trains the boosted trees of models/feedback-1 and scores them in folds by repository.

usage: train.py --bench DIR --mirrors DIR --folds FILE --out DIR [--parity DIR] [--no-final] [--set NAME=VALUE ...]

--bench, --mirrors: rows of dump-feedback.js. --folds: trained-on.json of the model of relevance; fold N is trained
without the repositories that its fold N has not seen. Out: trees.bin, folds/N/trees.bin, folds.json, parity.json (rows
and their log-odds), scores.json.
"""

import argparse
import json
import os
import sys

import lightgbm as lgb
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'train-relevance'))

from rows import Rows, bootstrap, calibration_error, folds, plainly
from trees import export

# How much a task counts, by how it was judged; and when nothing that was shown was right, which teaches little.
WAYS = {'five': 1.0, 'three': 0.5, 'ten': 0.5, 'confirmed': 0.5, 'first': 0.5, 'given': 0.5}
UNCONFIRMED = 0.3
KINDS = {'commit': 1.0, 'change': 1.0, 'body': 0.5, 'query': 0.5}
# Of wrong files that seemed hopeless already so many are kept, each counting for the others.
HOPELESS = 0.01
KEPT = 1 / 4
# More of what can only be good news is never bad news, and the other way round.
RISING = ['relevance.odds', 'together.raw', 'together.mean', 'together.best.raw', 'together.part', 'together.task.raw', 'references.used']
FALLING = []
PARAMETERS = dict(
    objective='binary',
    learning_rate=0.05,
    num_leaves=16,
    min_data_in_leaf=80,
    feature_fraction=0.4,
    bagging_fraction=0.7,
    bagging_freq=1,
    lambda_l2=10.0,
    max_bin=127,
    num_threads=1,
    verbose=-1,
    deterministic=True,
    force_row_wise=True,
)
TREES = 180


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--bench', required=True)
    p.add_argument('--mirrors')
    p.add_argument('--folds', required=True)
    p.add_argument('--parity', help='rows of the fixture repositories')
    p.add_argument('--out', required=True)
    p.add_argument('--no-final', action='store_true')
    p.add_argument('--cross-mirrors', action='store_true', help='score the mirrors too, in two folds of their own')
    p.add_argument('--drop', action='append', default=[], help='signals to leave out, by the beginning of their names')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--set', action='append', default=[], metavar='NAME=VALUE')
    a = p.parse_args()
    changed = dict(pair.split('=') for pair in a.set)
    trees = int(changed.pop('trees', TREES))
    parameters = {**PARAMETERS, **{k: float(v) if '.' in v else int(v) for k, v in changed.items()}, 'seed': a.seed}
    os.makedirs(a.out, exist_ok=True)
    bench = Rows([a.bench])
    mirrors = Rows([a.mirrors]) if a.mirrors else None
    for rows in filter(None, (bench, mirrors)):
        dropped = [i for i, name in enumerate(rows.signals) if any(name.startswith(d) for d in a.drop)]
        rows.values[:, dropped] = 0
    fold_of = json.load(open(a.folds))['folds']
    scores = {}
    scores['first cycle'] = report('bench, first cycle', bench, first(bench))
    held_out = np.zeros(len(bench.label))
    for f in sorted(set(fold_of.values())):
        is_out = np.array([fold_of[r] == f for r in bench.repository])
        model = fit([(bench, ~is_out), (mirrors, None)], parameters, trees)
        rows_out = is_out[bench.task]
        held_out[rows_out] = model.predict(bench.values[rows_out], raw_score=True)
        folder = os.path.join(a.out, 'folds', str(f))
        os.makedirs(folder, exist_ok=True)
        export(model, bench, os.path.join(folder, 'trees.bin'), {})
    scores['judged'] = report('bench, judged', bench, held_out)
    if mirrors and a.cross_mirrors:
        report('mirrors, first cycle', mirrors, first(mirrors))
        side = folds(mirrors, 2)
        crossed = np.zeros(len(mirrors.label))
        for f in range(2):
            is_out = np.array([side[r] == f for r in mirrors.repository])
            model = fit([(bench, None), (mirrors, ~is_out)], parameters, trees)
            rows_out = is_out[mirrors.task]
            crossed[rows_out] = model.predict(mirrors.values[rows_out], raw_score=True)
        scores['mirrors'] = report('mirrors, judged', mirrors, crossed)
    if not a.no_final:
        final = fit([(bench, None), (mirrors, None)], parameters, trees)
        export(final, bench, os.path.join(a.out, 'trees.bin'), {})
        gain = sorted(zip(final.feature_importance('gain'), bench.signals), reverse=True)
        scores['gain'] = {name: round(float(g / sum(g for g, _ in gain)), 4) for g, name in gain}
        print(' '.join(f'{name} {g:.3f}' for name, g in list(scores['gain'].items())[:40]))
        print('no use:', [name for name, g in scores['gain'].items() if g < 0.001])
        if a.parity:
            sample(final, a.parity, os.path.join(a.out, 'parity.json'))
    scores['trainedOn'] = sorted(set(bench.repository) | set(mirrors.repository if mirrors else []))
    scores['parameters'] = {**parameters, 'trees': trees, 'ways': WAYS, 'kinds': KINDS, 'rising': RISING}
    json.dump(fold_of, open(os.path.join(a.out, 'folds.json'), 'w'), indent=1, sort_keys=True)
    json.dump(scores, open(os.path.join(a.out, 'scores.json'), 'w'), indent=1)


def fit(parts, parameters, trees):
    """A model of the given (rows, which tasks or None for all)."""
    values, label, weight = [], [], []
    for rows, tasks in parts:
        if rows is None:
            continue
        of_task = np.array([WAYS[t['way']] * KINDS[t['kind']] * (1 if t['confirmed'] else UNCONFIRMED) for t in rows.tasks])
        if tasks is not None:
            of_task = of_task * tasks
        by_row = of_task[rows.task]
        kept = (by_row > 0) & ~rows.text
        odds = rows.values[:, rows.signals.index('relevance.odds')]
        hopeless = (odds < np.log(HOPELESS / (1 - HOPELESS))) & (rows.label == 0)
        thinned = np.random.default_rng(7).random(len(kept)) < KEPT
        kept &= ~hopeless | thinned
        by_row = np.where(hopeless, by_row / KEPT, by_row)
        values.append(rows.values[kept])
        label.append(rows.label[kept])
        weight.append(by_row[kept])
        signals = rows.signals
    data = lgb.Dataset(
        np.concatenate(values), np.concatenate(label), weight=np.concatenate(weight), feature_name=list(map(plainly, signals))
    )
    bounds = [1 if name in RISING else -1 if name in FALLING else 0 for name in signals]
    return lgb.train({**parameters, 'monotone_constraints': bounds}, data, trees)


def first(rows):
    return rows.values[:, rows.signals.index('relevance.odds')].astype(float)


def report(title, rows, log_odds):
    """The benchmark's own measure: tasks where something shown was right and something right is left."""
    order = np.lexsort((np.arange(len(log_odds)), -log_odds, rows.task))
    starts = np.searchsorted(rows.task[order], np.arange(len(rows.tasks)))
    ends = np.append(starts[1:], len(order))
    found = {'recall@5': [], 'recall@10': [], 'mrr': [], 'reachable': []}
    repositories, counted = [], np.zeros(len(rows.tasks), bool)
    for t, task in enumerate(rows.tasks):
        if task['way'] != 'five' or task['kind'] not in ('commit', 'change') or not task['confirmed'] or task['total'] <= 0:
            continue
        counted[t] = True
        gains = rows.label[order[starts[t] : ends[t]]]
        hits = np.flatnonzero(gains)
        found['recall@5'].append(min(1, gains[:5].sum() / task['total']))
        found['recall@10'].append(min(1, gains[:10].sum() / task['total']))
        found['mrr'].append(1 / (hits[0] + 1) if len(hits) and hits[0] < 10 else 0)
        found['reachable'].append(min(1, gains.sum() / task['total']))
        repositories.append(task['repository'])
    repositories = np.array(repositories)
    names = sorted(set(repositories))
    recalls = np.array(found['recall@5'])
    low, high = bootstrap([recalls[repositories == r].mean() for r in names], [(repositories == r).sum() for r in names])
    inside = counted[rows.task] & ~rows.text
    probability = 1 / (1 + np.exp(-log_odds[inside]))
    label = rows.label[inside]
    sure = probability >= 0.5
    scores = {
        'tasks': len(repositories),
        **{name: round(float(np.mean(values)), 4) for name, values in found.items()},
        'interval of recall@5': [round(low, 4), round(high, 4)],
        'ece': round(float(calibration_error(probability, label)), 4),
        'from 0.5': [int(sure.sum()), round(float(probability[sure].mean()), 3), round(float(label[sure].mean()), 3)] if sure.any() else [0],
    }
    print(title, scores, flush=True)
    return scores


def sample(model, folder, path, count=60):
    """Rows of the fixtures, spread over tasks and ranks, with the log-odds that LightGBM itself gives them."""
    rows, told = Rows([folder]), []
    for name in sorted(os.listdir(folder)):
        if name.endswith('.json'):
            for task in json.load(open(os.path.join(folder, name)))['tasks']:
                told += [(path_, task['judged']) for path_ in task['paths']]
    code = np.flatnonzero(~rows.text)
    chosen = code[np.linspace(0, len(code) - 1, count).astype(int)]
    log_odds = model.predict(rows.values[chosen].astype(float), raw_score=True)
    picked = [
        {
            'repository': rows.tasks[rows.task[r]]['repository'],
            'task': rows.tasks[rows.task[r]]['text'],
            'judged': told[r][1],
            'path': told[r][0],
            'values': [float(f'{v:.9g}') for v in rows.values[r]],
            'logOdds': round(float(odds), 7),
        }
        for r, odds in zip(chosen, log_odds)
    ]
    json.dump({'signals': rows.signals, 'rows': picked}, open(path, 'w'))


if __name__ == '__main__':
    main()

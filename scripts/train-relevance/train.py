"""Trains the boosted trees of models/relevance-1 and scores them in folds by repository.

usage: train.py --bench DIR --mirrors DIR... --out DIR [--folds 5] [--seed 1] [--jobs 2] [--no-final] [--set NAME=VALUE ...]

--bench, --mirrors: rows of dump-signals.js. Out: trees.bin (all repositories), folds/N/trees.bin (trained without the
repositories of fold N), folds.json (repository -> N), parity.json (rows and their log-odds), scores.json.
"""

import argparse
import json
import multiprocessing
import os

import lightgbm as lgb
import numpy as np

from rows import Rows, bootstrap, calibration_error, folds, ndcg_by_task, plainly
from trees import export

# How much a task of each kind counts: labelled by hand, from commits, names defined once. 0: never trained on.
WEIGHTS = {'query': 3.0, 'commit': 0.5, 'body': 0.5, 'name': 0.2, 'plain': 0.0}
# More of what can only be good news is never bad news.
RISING = ['defines.symbol', 'named.path', 'pointed-at', 'coverage.names', 'coverage.rarest', 'fit.names', 'fit.file-name']
# Documents and data are not labelled anywhere, so nothing can be learned about them; what weighs on them is set by
# hand from the first weights (docs/decisions/0003-first-weights.md). What no first cycle knows was fitted by itself:
# files that sure ones point at are right a little more often than their rating says (docs/decisions/0012-the-loop.md).
ADDED = {'file.document': -1.7, 'file.data': -0.7, 'pointed-at': 0.2}
NOT_LEARNED = set(ADDED)
PARAMETERS = dict(
    objective='binary',
    learning_rate=0.05,
    num_leaves=24,
    min_data_in_leaf=60,
    feature_fraction=0.4,
    bagging_fraction=0.7,
    bagging_freq=1,
    lambda_l2=10.0,
    max_bin=127,
    num_threads=1,  # threads of one model wait for each other wherever other work runs; models side by side do not
    verbose=-1,
    deterministic=True,
    force_row_wise=True,
)
TREES = 260


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--bench', required=True)
    p.add_argument('--mirrors', nargs='+', help='one folder or more')
    p.add_argument('--parity', help='rows of the fixture repositories')
    p.add_argument('--out', required=True)
    p.add_argument('--folds', type=int, default=5)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--jobs', type=int, default=2, help='models trained side by side')
    p.add_argument('--no-final', action='store_true')
    p.add_argument('--plain', action='store_true', help='score plain words too; for the last look only')
    p.add_argument('--set', action='append', default=[], metavar='NAME=VALUE')
    a = p.parse_args()
    changed = dict(pair.split('=') for pair in a.set)
    trees = int(changed.pop('trees', TREES))
    for name in WEIGHTS:
        if name in changed:
            WEIGHTS[name] = float(changed.pop(name))
    parameters = {**PARAMETERS, **{k: float(v) if '.' in v else int(v) for k, v in changed.items()}, 'seed': a.seed}
    os.makedirs(a.out, exist_ok=True)
    bench = Rows([a.bench])
    mirrors = Rows(a.mirrors) if a.mirrors else None
    print(f'{len(bench.tasks)} tasks, {len(bench.label)} rows of the benchmark;', end=' ')
    print(f'{len(mirrors.tasks)} tasks, {len(mirrors.label)} rows of {len(set(mirrors.repository))} others' if mirrors else '')

    fold_of = folds(bench, a.folds)
    held_out = np.zeros(len(bench.label))
    others = [(mirrors, None)] if mirrors else []
    outside = [np.array([fold_of[r] == f for r in bench.repository]) for f in range(a.folds)]
    wanted = [[(bench, ~is_out)] + others for is_out in outside] + ([] if a.no_final else [[(bench, None)] + others])
    models = side_by_side([(parts, parameters, trees) for parts in wanted], a.jobs)
    for f, is_out in enumerate(outside):
        rows_out = is_out[bench.task]
        held_out[rows_out] = models[f].predict(bench.values[rows_out], raw_score=True) + added(bench, rows_out)
        folder = os.path.join(a.out, 'folds', str(f))
        os.makedirs(folder, exist_ok=True)
        export(models[f], bench, os.path.join(folder, 'trees.bin'), ADDED)
    scores = report(bench, held_out, ['query', 'commit', 'name'] + (['plain'] if a.plain else []))
    json.dump(fold_of, open(os.path.join(a.out, 'folds.json'), 'w'), indent=1, sort_keys=True)
    if not a.no_final:
        final = models[-1]
        export(final, bench, os.path.join(a.out, 'trees.bin'), ADDED)
        gain = sorted(zip(final.feature_importance('gain'), bench.signals), reverse=True)
        if a.parity:
            sample(final, a.parity, os.path.join(a.out, 'parity.json'))
        scores['gain'] = {name: round(float(g / sum(g for g, _ in gain)), 4) for g, name in gain}
        print(' '.join(f'{name} {g:.3f}' for name, g in list(scores['gain'].items())[:25]))
        print('no use:', [n for n, g in scores['gain'].items() if g == 0])
    scores['trainedOn'] = sorted(set(bench.repository) | set(mirrors.repository if mirrors else []))
    scores['parameters'] = {**parameters, 'trees': trees, 'weights': WEIGHTS, 'added': ADDED, 'rising': RISING}
    json.dump(scores, open(os.path.join(a.out, 'scores.json'), 'w'), indent=1)


def side_by_side(calls, jobs):
    """Models of several calls of fit, in their order; each in a process of its own that shares the rows."""
    global _calls
    _calls = calls  # read by the processes, which are forks
    with multiprocessing.get_context('fork').Pool(jobs) as pool:
        return [lgb.Booster(model_str=text) for text in pool.map(_fitted, range(len(calls)), chunksize=1)]


def _fitted(number):
    return fit(*_calls[number]).model_to_string()


def fit(parts, parameters, trees):
    """A model of the given (rows, which tasks or None for all)."""
    values, label, weight = [], [], []
    for rows, tasks in parts:
        of_task = np.array([WEIGHTS[k] for k in rows.kind])
        if tasks is not None:
            of_task = of_task * tasks
        by_row = of_task[rows.task]
        kept = (by_row > 0) & ~rows.text
        values.append(rows.values[kept])
        label.append(rows.label[kept])
        weight.append(by_row[kept])
        signals = rows.signals
    values = np.concatenate(values)
    values[:, [signals.index(name) for name in NOT_LEARNED]] = 0
    data = lgb.Dataset(values, np.concatenate(label), weight=np.concatenate(weight), feature_name=list(map(plainly, signals)))
    rising = [1 if name in RISING else 0 for name in signals]
    return lgb.train({**parameters, 'monotone_constraints': rising}, data, trees)


def added(rows, which):
    return sum(rows.values[which][:, rows.signals.index(name)] * weight for name, weight in ADDED.items())


def report(rows, log_odds, kinds):
    ndcg = ndcg_by_task(rows, log_odds)
    probability = 1 / (1 + np.exp(-log_odds))
    scores = {}
    for kind in kinds:
        tasks = rows.kind == kind
        if not tasks.any():
            continue
        repositories = sorted(set(rows.repository[tasks]))
        means = [ndcg[tasks & (rows.repository == r)].mean() for r in repositories]
        counts = [(tasks & (rows.repository == r)).sum() for r in repositories]
        low, high = bootstrap(means, counts)
        in_kind = tasks[rows.task]
        high_rows = in_kind & (probability >= 0.8)
        firsts = first_right(rows, log_odds)
        scores[kind] = {
            'tasks': int(tasks.sum()),
            'ndcg@10': round(float(ndcg[tasks].mean()), 4),
            'interval': [round(low, 4), round(high, 4)],
            'ece': round(float(calibration_error(probability[in_kind], rows.label[in_kind])), 4),
            'high': int(high_rows.sum()),
            'high right': round(float(rows.label[high_rows].mean()), 4) if high_rows.any() else None,
            'hit@1': round(float(firsts[tasks].mean()), 4),
        }
        print(kind, scores[kind], flush=True)
    return scores


def first_right(rows, score):
    order = np.lexsort((np.arange(len(score)), -score, rows.task))
    starts = np.searchsorted(rows.task[order], np.arange(len(rows.tasks)))
    has = np.array([t['rows'] > 0 for t in rows.tasks])
    out = np.zeros(len(rows.tasks))
    out[has] = rows.label[order[starts[has]]]
    return out


def sample(model, folder, path, count=60):
    """Rows of the fixtures, spread over tasks and ranks, with the log-odds that LightGBM itself gives them."""
    rows, paths = Rows([folder]), []
    for name in sorted(os.listdir(folder)):
        if name.endswith('.json'):
            paths += [p for task in json.load(open(os.path.join(folder, name)))['tasks'] for p in task['paths']]
    code = np.flatnonzero(~rows.text)
    chosen = code[np.linspace(0, len(code) - 1, count).astype(int)]
    weights = np.array([ADDED.get(name, 0) for name in rows.signals])
    log_odds = model.predict(rows.values[chosen].astype(float), raw_score=True) + rows.values[chosen] @ weights
    picked = [
        {
            'repository': rows.tasks[rows.task[r]]['repository'],
            'task': rows.tasks[rows.task[r]]['text'],
            'path': paths[r],
            'values': [float(f'{v:.9g}') for v in rows.values[r]],
            'logOdds': round(float(odds), 7),
        }
        for r, odds in zip(chosen, log_odds)
    ]
    json.dump({'signals': rows.signals, 'rows': picked}, open(path, 'w'))


if __name__ == '__main__':
    main()

"""Rows of signals as dump-signals.js wrote them, joined into arrays; and the metrics of rankings made from them."""

import base64
import hashlib
import json
import os

import numpy as np


class Rows:
    """All tasks of one or more folders.

    values: float32, rows x signals. label: 0/1 by row. task: number of its task by row. text: bool by row, a document or data.
    tasks: one dict a task with kind, repository, set, language, rows, total.
    """

    def __init__(self, folders, leave_out=()):
        self.tasks, values, labels, task_of = [], [], [], []
        self.signals = self.version = None
        for folder in folders:
            for name in sorted(os.listdir(folder)):
                if not name.endswith('.json'):
                    continue
                about = json.load(open(os.path.join(folder, name)))
                if about['repository'] in leave_out:
                    continue
                if self.signals not in (None, about['signals']) or self.version not in (None, about['signalsVersion']):
                    raise SystemExit(f'{name}: other signals than the files before it; dump anew')
                self.signals, self.version = about['signals'], about['signalsVersion']
                table = np.fromfile(os.path.join(folder, name[:-5] + '.f32'), dtype='<f4')
                values.append(table.reshape(-1, len(self.signals)))
                for task in about['tasks']:
                    flags = np.frombuffer(base64.b64decode(task['labels']), dtype=np.uint8)
                    labels.append(flags)
                    task_of.append(np.full(len(flags), len(self.tasks), dtype=np.int32))
                    self.tasks.append(
                        {
                            'kind': task['kind'],
                            'text': task['text'],
                            'total': task['total'],
                            'rows': len(flags),
                            'repository': about['repository'],
                            'language': about['language'],
                            'set': about['set'],
                            **{key: task[key] for key in ('way', 'confirmed') if key in task},
                        }
                    )
        self.values = np.concatenate(values)
        self.label = np.concatenate(labels)
        self.task = np.concatenate(task_of)
        column = {name: i for i, name in enumerate(self.signals)}
        self.text = (self.values[:, column['file.document']] > 0) | (self.values[:, column['file.data']] > 0)
        self.kind = np.array([t['kind'] for t in self.tasks])
        self.repository = np.array([t['repository'] for t in self.tasks])


def ndcg_by_task(rows, score, k=10):
    """NDCG@k of every task, by the metric of the benchmark. Ties keep the order of the rows."""
    order = np.lexsort((np.arange(len(score)), -score, rows.task))
    starts = np.searchsorted(rows.task[order], np.arange(len(rows.tasks)))
    ends = np.append(starts[1:], len(order))
    discount = 1 / np.log2(np.arange(k) + 2)
    out = np.zeros(len(rows.tasks))
    for t, (a, b) in enumerate(zip(starts, ends)):
        gains = rows.label[order[a : min(b, a + k)]]
        total = min(k, rows.tasks[t]['total'])
        if total:
            out[t] = (gains * discount[: len(gains)]).sum() / discount[:total].sum()
    return out


def calibration_error(probability, label, bins=10):
    """Expected calibration error: mean distance of predicted and true share, weighted by rows."""
    at = np.minimum((probability * bins).astype(int), bins - 1)
    error = 0.0
    for b in range(bins):
        inside = at == b
        if inside.any():
            error += inside.sum() * abs(probability[inside].mean() - label[inside].mean())
    return error / len(probability)


def folds(rows, count):
    """repository -> fold; by a digest of its name, in turns, so that folds have the same size."""
    names = sorted(set(rows.repository), key=lambda n: hashlib.sha256(n.encode()).hexdigest())
    return {name: i % count for i, name in enumerate(names)}


def bootstrap(means, counts, times=2000):
    random = np.random.default_rng(7)
    means, counts = np.array(means), np.array(counts)
    draws = random.integers(0, len(means), (times, len(means)))
    sampled = (means[draws] * counts[draws]).sum(1) / counts[draws].sum(1)
    return float(np.quantile(sampled, 0.025)), float(np.quantile(sampled, 0.975))


def plainly(name):
    return name.replace('.', '_').replace('-', '_')

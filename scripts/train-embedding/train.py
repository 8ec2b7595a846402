"""Trains word vectors and weights by contrast: the words of a pair should be nearer to its code than to other code.

usage: train.py --data DIR --eval DIR --out DIR [options]      (DIR of data: made by build_pairs.py)

A text is embedded exactly as serving does: sum of weight x (1 + ln count) x vector, scaled to length 1. Loss: InfoNCE in
both directions over the batch; pairs that share a document or a query are no negatives of each other. A checkpoint is
written after each epoch and taken up again when it is there. Ends with words.bin (mean of the last --average epochs).
"""
import argparse, json, math, os, time
import numpy as np
import torch
import torch.nn.functional as F
from score import checkouts, evaluate, mean_of
from table import Vocabulary, ragged, served, write_table


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--data', required=True); p.add_argument('--eval', required=True); p.add_argument('--out', required=True)
    p.add_argument('--epochs', type=int, default=4); p.add_argument('--batch', type=int, default=1024)
    p.add_argument('--per-epoch', type=int, default=300_000, help='pairs drawn for an epoch')
    p.add_argument('--lr', type=float, default=2e-3); p.add_argument('--lr-weight', type=float, default=1e-2)
    p.add_argument('--temperature', type=float, default=0.05); p.add_argument('--group', type=int, default=128)
    p.add_argument('--drop-shared', type=float, default=0.0, help='probability that a query word the code has is left out')
    p.add_argument('--drop-document', type=float, default=0.0, help='probability that a word of the code is left out')
    p.add_argument('--pull', type=float, default=0.0, help='pull towards the start vectors, per step on touched rows')
    p.add_argument('--cap', type=int, default=4000, help='pairs of a repository drawn for an epoch at most')
    p.add_argument('--kinds', default='', help='kind=share,... share of pairs of a kind that is drawn (default 1)')
    p.add_argument('--average', type=int, default=1); p.add_argument('--seed', type=int, default=1)
    p.add_argument('--from', dest='origin', default='', help='checkpoint whose vectors to start from (same words)')
    p.add_argument('--threads', type=int, default=2)
    p.add_argument('--sets', default='queries')
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    os.makedirs(a.out, exist_ok=True)
    Trainer(a).run()


class Trainer:
    def __init__(self, a):
        self.a = a
        load = lambda name: np.load(os.path.join(a.data, name + '.npy'))
        self.about = json.load(open(os.path.join(a.data, 'about.json')))
        self.words = open(os.path.join(a.data, 'words.txt'), encoding='utf-8').read().split('\n')
        self.start = torch.from_numpy(load('start'))
        self.sides = {s: (np.concatenate([[0], np.cumsum(load(s + '_length'))]), load(s + '_rows'), load(s + '_weight'))
                      for s in 'qd'}
        self.kind, self.repo, self.document, self.query = (load(n) for n in ('kind', 'repo', 'document', 'query'))
        self.vectors, self.log_weight = self.start.clone(), torch.from_numpy(np.log(load('sif')))
        self.log_temperature = torch.tensor(math.log(a.temperature))
        zeros = lambda like: torch.zeros_like(like)
        self.moments = [(zeros(self.vectors), zeros(self.vectors)), (zeros(self.log_weight), zeros(self.log_weight))]
        self.steps = torch.zeros(len(self.words))
        share = dict(item.split('=') for item in a.kinds.split(',') if item)
        self.share = np.array([float(share.get(kind, 1)) for kind in self.about['kinds']])
        self.checkouts = checkouts(a.eval, Vocabulary(self.words), sorted({'commits' if s == 'commits' else 'queries' for s in a.sets.split(',')}))
        lengths = {s: np.diff(self.sides[s][0]) for s in 'qd'}
        self.usable = (lengths['q'] >= 2) & (lengths['d'] >= 4)

    def run(self):
        a, done, recent = self.a, 0, []
        path = os.path.join(a.out, 'checkpoint.pt')
        if os.path.exists(path):
            state = torch.load(path)
            self.vectors, self.log_weight, self.moments, self.steps = (state[k] for k in ('v', 'w', 'm', 's'))
            done, recent = state['done'], state['recent']
        else:
            if a.origin:
                state = torch.load(a.origin)
                self.vectors, self.log_weight = state['v'], state['w']
            self.report(0, 0.0)
        for epoch in range(done, a.epochs):
            began = time.time()
            loss = self.epoch(epoch)
            recent = (recent + [(self.vectors.clone(), self.log_weight.clone())])[-a.average:]
            torch.save({'v': self.vectors, 'w': self.log_weight, 'm': self.moments, 's': self.steps, 'done': epoch + 1,
                        'recent': recent}, path)
            self.report(epoch + 1, loss, time.time() - began)
        self.vectors = torch.stack([v for v, _ in recent]).mean(0)
        self.log_weight = torch.stack([w for _, w in recent]).mean(0)
        if a.average > 1:
            self.report('mean', 0.0)
        size = write_table(os.path.join(a.out, 'words.bin'), self.words, self.vectors.numpy().astype(np.float64),
                           self.log_weight.exp().numpy().astype(np.float64))
        print(f'words.bin {size} bytes', flush=True)

    def weighted(self):
        return self.log_weight.exp()[:, None] * self.vectors

    def report(self, epoch, loss, seconds=0.0):
        table = torch.from_numpy(served(self.weighted().numpy()))
        found = {k: round(mean_of(v), 4) for k, v in evaluate(self.checkouts, table, self.a.sets.split(',')).items()}
        moved = F.cosine_similarity(self.vectors, self.start).mean()
        print(json.dumps({'epoch': epoch, 'loss': round(loss, 4), 's': round(seconds), **found, 'kept': round(float(moved), 3)}), flush=True)

    def draw(self, random):
        """Indices of one epoch: capped by kind and repository, in groups of one repository, shuffled."""
        chance = random.random(len(self.kind))
        index = np.flatnonzero(self.usable & (chance < self.share[self.kind]))
        random.shuffle(index)
        order = index[np.argsort(self.repo[index], kind='stable')]
        groups = []
        for own in np.split(order, np.flatnonzero(np.diff(self.repo[order])) + 1):
            own = own[:self.a.cap]
            groups += [own[i:i + self.a.group] for i in range(0, len(own), self.a.group)]
        groups = [groups[i] for i in random.permutation(len(groups))]
        return np.concatenate(groups)[:self.a.per_epoch]

    def epoch(self, epoch):
        a, random = self.a, np.random.default_rng([self.a.seed, epoch])
        index = self.draw(random)
        batches = [index[i:i + a.batch] for i in range(0, len(index) - a.batch // 2, a.batch)]
        total = 0.0
        for i, batch in enumerate(batches):
            progress = (epoch + i / len(batches)) / a.epochs
            warm = min(1.0, (epoch * len(batches) + i + 1) / 50)
            loss = self.step(batch, random, warm * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * progress))))
            total += loss
            if i % 100 == 99:
                print(f'  {epoch}.{i}/{len(batches)} {loss:.4f}', flush=True)
        return total / max(1, len(batches))

    def texts(self, side, batch):
        indptr, rows, weight = self.sides[side]
        length = indptr[batch + 1] - indptr[batch]
        at = ragged(indptr[batch], length)
        return np.repeat(np.arange(len(batch)), length), rows[at].astype(np.int64), weight[at]

    def step(self, batch, random, rate):
        a, n, size = self.a, len(batch), len(self.words)
        q, d = self.texts('q', batch), self.texts('d', batch)
        if a.drop_shared > 0:
            shared = np.isin(q[0] * size + q[1], d[0] * size + d[1])
            keep = ~(shared & (random.random(len(shared)) < a.drop_shared))
            q = tuple(x[keep] for x in q)
        if a.drop_document > 0:
            keep = random.random(len(d[0])) >= a.drop_document
            d = tuple(x[keep] for x in d)
        used, local = np.unique(np.concatenate([q[1], d[1]]), return_inverse=True)
        touched = torch.from_numpy(used)
        v = self.vectors[touched].requires_grad_()
        w = self.log_weight[touched].requires_grad_()
        table = w.exp()[:, None] * v
        def embed(text, ids):
            starts = np.searchsorted(text[0], np.arange(n))
            summed = F.embedding_bag(torch.from_numpy(ids), table, torch.from_numpy(starts), mode='sum',
                                     per_sample_weights=torch.from_numpy(text[2]))
            return F.normalize(summed, dim=1)
        eq, ed = embed(q, local[:len(q[1])]), embed(d, local[len(q[1]):])
        same = (self.document[batch][:, None] == self.document[batch]) | (self.query[batch][:, None] == self.query[batch])
        np.fill_diagonal(same, False)
        loss = Contrast.apply(eq, ed, torch.from_numpy(same), math.exp(float(self.log_temperature)))
        loss.backward()
        self.steps[touched] += 1
        for (value, grad, (m1, m2), lr) in ((self.vectors, v.grad, self.moments[0], a.lr), (self.log_weight, w.grad, self.moments[1], a.lr_weight)):
            lazy_adam(value, grad, (m1, m2), touched, self.steps[touched], lr * rate)
        if a.pull > 0:
            self.vectors[touched] += a.pull * rate * (self.start[touched] - self.vectors[touched])
        return float(loss.detach())


class Contrast(torch.autograd.Function):
    """Symmetric InfoNCE of unit rows, by hand: cosines are bounded, so one exp serves both directions (half the time)."""

    @staticmethod
    def forward(ctx, q, d, same, temperature):
        e = torch.mm(q, d.T).div_(temperature)
        hit = e.diagonal().clone()
        e.exp_().masked_fill_(same, 0)
        rows, columns = e.sum(1), e.sum(0)
        ctx.save_for_backward(q, d, e, rows, columns)
        ctx.temperature = temperature
        return ((rows.log() - hit).mean() + (columns.log() - hit).mean()) / 2

    @staticmethod
    def backward(ctx, grad):
        q, d, e, rows, columns = ctx.saved_tensors
        g = e.mul_(rows.reciprocal()[:, None] + columns.reciprocal())
        g.diagonal().sub_(2)
        g.mul_(float(grad) / (2 * len(q) * ctx.temperature))
        return g @ d, g.T @ q, None, None


@torch.no_grad()
def lazy_adam(value, grad, moments, rows, steps, lr, betas=(0.9, 0.98), eps=1e-8):
    """Adam on the rows of this batch only: rare words neither drift nor lose their moments in between."""
    m1, m2 = moments
    shape = (-1,) + (1,) * (grad.dim() - 1)
    first = m1[rows].mul_(betas[0]).add_(grad, alpha=1 - betas[0])
    second = m2[rows].mul_(betas[1]).addcmul_(grad, grad, value=1 - betas[1])
    m1[rows], m2[rows] = first, second
    steps = steps.view(shape)
    value[rows] -= lr * (first / (1 - betas[0] ** steps)) / ((second / (1 - betas[1] ** steps)).sqrt() + eps)


if __name__ == '__main__':
    main()

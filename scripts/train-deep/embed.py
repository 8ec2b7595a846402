"""Embeds what dump-tops.js wrote and tells how near each text is to its task.

usage: embed.py --tops DIR --vectors DIR --model DIR --out DIR [--kinds query,commit] [--tokens 64]

Resumes: vectors are kept by content in --vectors. Out, for each checkout: NAME.json: {repository, tasks: [{kind,
total, files: [{relevance, label, cosine}]}]}, with `cosine` where the deep step looks; tasks of other kinds are left out.
"""

import argparse
import json
import os
import time

import numpy as np

from vectors import Encoder, Vectors


def main():
    p = argparse.ArgumentParser()
    for name in ('tops', 'vectors', 'model', 'out'):
        p.add_argument(f'--{name}', required=True)
    p.add_argument('--kinds', default='query,commit')
    p.add_argument('--tokens', type=int, default=64)
    args = p.parse_args()
    os.makedirs(args.out, exist_ok=True)
    vectors = Vectors(args.vectors, 'all')
    encoder = Encoder(args.model)
    for name in sorted(os.listdir(args.tops)):
        if not name.endswith('.json'):
            continue
        started = time.time()
        about = json.load(open(os.path.join(args.tops, name)))
        tasks = [t for t in about['tasks'] if t['kind'] in args.kinds.split(',')]
        vector = lambda text: vectors.vector(text, args.tokens, encoder)
        told = [with_cosines(task, about['texts'], vector) for task in tasks]
        vectors.flush()
        with open(os.path.join(args.out, name), 'w') as file:
            json.dump({'repository': about['repository'], 'tasks': told}, file)
        print(name, len(tasks), 'tasks', round(time.time() - started), 's', flush=True)


def with_cosines(task, texts, vector):
    query = vector(task['text'])
    files = []
    for file in task['files']:
        told = {'relevance': file['relevance'], 'label': file['label']}
        if file['texts']:
            told['cosine'] = max(float(np.dot(query, vector(texts[n]))) for n in file['texts'])
        files.append(told)
    return {'kind': task['kind'], 'total': task['total'], 'files': files}


if __name__ == '__main__':
    main()

"""Speed of semble on one repository, in a process of its own. Prints one JSON object.

usage: PYTHON semble_speed.py ROOT MODEL_FOLDER TOKENIZER.json TASKS.json

PYTHON has semble installed. Its own weights are not at hand, so MODEL_FOLDER gets a static model of the usual shape (256
dimensions, one row a token) with random rows: what it costs is the same, what it finds means nothing and is not looked at.
"""

import json
import os
import resource
import sys
import time

import numpy as np

DIMENSIONS = 256
SEED = 1


def make_model(folder, tokenizer_file):
    from model2vec import StaticModel
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(tokenizer_file)
    rows = np.random.default_rng(SEED).standard_normal((tokenizer.get_vocab_size(), DIMENSIONS)).astype(np.float32)
    StaticModel(rows, tokenizer, normalize=True).save_pretrained(folder)


def main(root, model_folder, tokenizer_file, tasks_file):
    if not os.path.isdir(model_folder):
        make_model(model_folder, tokenizer_file)
    from semble import SembleIndex
    from semble.version import __version__

    started = time.perf_counter()
    index = SembleIndex.from_path(root, model_path=model_folder)
    index_ms = (time.perf_counter() - started) * 1000
    with open(tasks_file, encoding="utf-8") as file:
        tasks = json.load(file)
    index.search("warm up", top_k=10)
    times = []
    for task in tasks:
        before = time.perf_counter()
        index.search(task, top_k=10)
        times.append((time.perf_counter() - before) * 1000)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    result = {"version": __version__, "chunks": len(index.chunks), "indexMs": index_ms, "queryMs": times, "peakMb": peak_mb}
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])

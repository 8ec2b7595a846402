"""Prints the nearest words of some words, to see whether a table still knows what words mean.

usage: near.py words.bin throttle auth ...
"""
import sys
import numpy as np
from table import read_table

words, levels, _ = read_table(sys.argv[1])
unit = levels / np.linalg.norm(levels, axis=1, keepdims=True)
for word in sys.argv[2:]:
    if word in words:
        cosine = unit @ unit[words.index(word)]
        print(word, ' '.join(f'{words[i]} {cosine[i]:.2f}' for i in np.argsort(-cosine)[1:9]))

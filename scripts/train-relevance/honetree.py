"""Writes the file that src/rank/trees.ts reads."""

import json
import os
import struct

import numpy as np


def write_trees(path, head, nodes, roots):
    """head: TreesHead as a dict. nodes: (border or value, mean, right child, signal) each. roots: one node a tree."""
    border, mean, right, signal = zip(*nodes)
    text = json.dumps(head, separators=(',', ':')).encode()
    body = text + b'\0' * (-(28 + len(text)) % 8)
    body += np.array(border, '<f8').tobytes() + np.array(mean, '<f4').tobytes() + np.array(roots, '<u4').tobytes()
    body += (np.array(right, '<u4') * 256 + np.array(signal, '<u4')).tobytes()
    prefix = b'HONETREE' + struct.pack('<IIIII', 1, len(roots), len(border), len(text), checksum(body))
    with open(path + '.part', 'wb') as file:
        file.write(prefix + body)
    os.replace(path + '.part', path)


def checksum(data):
    """FNV-1a over 32-bit words."""
    hash_ = 0x811C9DC5
    for word in np.frombuffer(data + b'\0' * (-len(data) % 4), '<u4').tolist():
        hash_ = ((hash_ ^ word) * 0x01000193) & 0xFFFFFFFF
    return hash_

"""The compact file of boosted trees that src/rank/trees.ts reads."""

import json
import os
import struct

import numpy as np


def export(model, rows, path, added):
    """Writes the file that src/rank/trees.ts reads. `added`: weights of signals beside the trees."""
    border, mean, right, signal, roots = [], [], [], [], []

    def add(node):
        at = len(border)
        for column in (border, mean, right, signal):
            column.append(0)
        if 'leaf_value' in node:
            border[at], mean[at], right[at] = node['leaf_value'], node['leaf_value'], at
            return at, node.get('leaf_count', 1)
        if node['decision_type'] != '<=' or node.get('missing_type') not in ('None', None):
            raise SystemExit('a kind of split that serving does not know')
        border[at], signal[at] = node['threshold'], node['split_feature']
        left, few = add(node['left_child'])
        right[at], many = add(node['right_child'])
        mean[at] = (mean[left] * few + mean[right[at]] * many) / max(1, few + many)
        return at, few + many

    for tree in model.dump_model()['tree_info']:
        roots.append(add(tree['tree_structure'])[0])
    head = json.dumps({'signalsVersion': rows.version, 'signals': rows.signals, 'added': added}, separators=(',', ':')).encode()
    body = head + b'\0' * (-(28 + len(head)) % 8)
    body += np.array(border, '<f8').tobytes() + np.array(mean, '<f4').tobytes() + np.array(roots, '<u4').tobytes()
    body += (np.array(right, '<u4') * 256 + np.array(signal, '<u4')).tobytes()
    prefix = b'HONETREE' + struct.pack('<IIIII', 1, len(roots), len(border), len(head), checksum(body))
    with open(path + '.part', 'wb') as file:
        file.write(prefix + body)
    os.replace(path + '.part', path)


def checksum(data):
    """FNV-1a over 32-bit words."""
    hash_ = 0x811C9DC5
    for word in np.frombuffer(data + b'\0' * (-len(data) % 4), '<u4').tolist():
        hash_ = ((hash_ ^ word) * 0x01000193) & 0xFFFFFFFF
    return hash_

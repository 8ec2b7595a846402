"""The compact file of boosted trees that src/rank/trees.ts reads."""

from honetree import write_trees


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
    head = {'signalsVersion': rows.version, 'signals': rows.signals, 'added': added}
    write_trees(path, head, list(zip(border, mean, right, signal)), roots)

"""Writes which repositories, commits and pairs a data folder holds, one line a shard: repo, language, commit, what, pairs,
files and texts left out as copies of benchmark code.

usage: manifest.py --pairs DIR --data DIR > manifest.tsv      (DIR of data: made by build_pairs.py)
"""
import argparse, glob, json, os

p = argparse.ArgumentParser()
p.add_argument('--pairs', required=True); p.add_argument('--data', required=True)
a = p.parse_args()
about = json.load(open(os.path.join(a.data, 'about.json')))
used, what = set(about['repositories']), set(about.get('what', ['code']))
print('repo\tlanguage\tcommit\twhat\tpairs\tcopied_files\tcopied_texts')
for path in sorted(glob.glob(os.path.join(a.pairs, '*.json'))):
    s = json.load(open(path, encoding='utf-8'))
    kind = path.split('.')[-2]
    if s['repo'] in used and kind in what:
        print('\t'.join(map(str, (s['repo'], s['language'], s['commit'], kind, s['pairs'], s['copiedFiles'], s['copiedTexts']))))

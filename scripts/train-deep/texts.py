"""How a chunk is put into words for the encoder: the variants that were measured."""
import re

HEAD = re.compile(r'\.[^./]+$')

def as_is(c):
    return f"{HEAD.sub('', c['path'])} {c['scope']} {' '.join(c['symbols'])}\n{c['text']}"

PART = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+')

def words(text):
    return ' '.join(PART.findall(text))

def split(c):
    """Path, names and code with identifiers taken apart; what is no letter or digit left out."""
    return words(as_is(c)).lower()

def names_split(c):
    """names taken apart, code as it is"""
    return words(f"{HEAD.sub('', c['path'])} {c['scope']} {' '.join(c['symbols'][:3])}").lower() + "\n" + re.sub(r'\s+', ' ', c['text'])

def outline(path, o):
    head = ' '.join(o['head'].split())
    return words(HEAD.sub('', path)).lower() + ': ' + words(' '.join(o['symbols'])).lower()


"""Prints "path<TAB>line<TAB>name<TAB>isTop" of each definition in the Swift files named on standard input.

The parser is tree-sitter-swift from PyPI, which hone does not use: hone reads Swift by patterns.
"""
import sys

import tree_sitter_swift
from tree_sitter import Language, Parser

DEFINITIONS = {
    "class_declaration",
    "protocol_declaration",
    "function_declaration",
    "typealias_declaration",
    "property_declaration",
}


def definitions(node, is_top):
    for child in node.children:
        if child.type in DEFINITIONS:
            name = child.child_by_field_name("name")
            is_extension = any(part.type == "extension" for part in child.children)
            if name is not None and not is_extension:
                yield name.start_point[0] + 1, name.text.decode(), is_top
        if child.type in ("class_body", "enum_class_body", "protocol_body"):
            yield from definitions(child, False)
        elif child.type in DEFINITIONS:
            yield from definitions(child, False)
        elif child.type not in ("function_body", "computed_property", "statements", "lambda_literal"):
            yield from definitions(child, is_top)


parser = Parser(Language(tree_sitter_swift.language()))
for path in sys.stdin.read().split("\n"):
    if path:
        tree = parser.parse(open(path, "rb").read())
        for line, name, is_top in definitions(tree.root_node, True):
            print(f"{path}\t{line}\t{name}\t{int(is_top)}")

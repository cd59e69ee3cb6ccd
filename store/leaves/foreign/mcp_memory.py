"""The memory server of the Model Context Protocol: entities, what was observed of each, relations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...formats.scheme_c.lines import BadLine
from .json_lines import FACTS, Line, first_objects, json_lines, line, name_of, text_of, texts_of

FILES = ("memory.jsonl", "memory.json")

KEYS = {
    "entity": {"name", "entityType", "observations"},
    "relation": {"from", "to", "relationType"},
}


def recognizes(path: Path) -> bool:
    """Return whether the first lines of a file are entities and relations only. Raises OSError."""
    first = first_objects(path)
    return bool(first) and all(KEYS.get(str(values.get("type")), {""}) <= values.keys() for values in first)


def lines(path: Path) -> Iterator[Line]:
    """Yield each observation and relation as a fact of its entities. Raises OSError."""
    for read in json_lines(path):
        if isinstance(read, BadLine):
            yield read
            continue
        values, number = read.values, read.number
        if values.get("type") == "relation":
            subject, target = text_of(values.get("from")), text_of(values.get("to"))
            relation = text_of(values.get("relationType"))
            text = f"{subject} {relation} {target}"
            yield line(
                FACTS, number, name_of(subject, relation, target), content=text,
                entities=[subject, target],
            )  # fmt: skip
            continue
        name, kind = text_of(values.get("name")), text_of(values.get("entityType"))
        observed = texts_of(values.get("observations")) or [kind]
        for text in observed:
            yield line(
                FACTS, number, name_of(name, text), content=f"{name}: {text}",
                entities=[name, kind],
            )  # fmt: skip

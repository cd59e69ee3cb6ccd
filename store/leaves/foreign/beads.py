"""beads: issues in JSON lines, with what blocks them and how they ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...formats.scheme_c.lines import BadLine
from .json_lines import ITEMS, WRITTEN, Line, first_objects, json_lines, line, text_of, texts_of

FILES = (".beads/issues.jsonl", ".beads/beads.jsonl", "issues.jsonl")

KEYS = {"id", "title", "status", "issue_type"}
SECTIONS = {
    "description": "", "design": "Design", "acceptance_criteria": "Acceptance", "notes": "Notes",
    "close_reason": "Closed",
}  # fmt: skip
"""What an issue says, by its keys, with the heading of each."""

KEPT = ("status", "priority", "assignee", "updated_at", "closed_at", "external_ref")
DELETED = "tombstone"


def recognizes(path: Path) -> bool:
    """Return whether the first lines of a file are issues only. Raises OSError."""
    first = first_objects(path)
    return bool(first) and all(values.keys() >= KEYS for values in first)


def lines(path: Path) -> Iterator[Line]:
    """Yield each issue as an observation, with its texts below its title. Raises OSError."""
    for read in json_lines(path):
        yield read if isinstance(read, BadLine) else _issue(read.values, read.number)


def _issue(values: dict[str, Any], number: int) -> Line:
    name, title = str(values["id"]), text_of(values.get("title"))
    parts = [f"{name}: {title}", f"{text_of(values.get('status'))}."]
    for key, heading in SECTIONS.items():
        if text := text_of(values.get(key)):
            parts.append(f"{heading}: {text}" if heading else text)
    parts += [f"{kind} {target}" for kind, target in _dependencies(values)]
    kept = {key: values[key] for key in KEPT if values.get(key)}
    return line(
        ITEMS, number, name,
        type=text_of(values.get("issue_type")) or "task",
        content="\n\n".join(parts),
        entities=texts_of(values.get("labels")),
        **{WRITTEN: values.get("created_at")},
        deleted_at=values.get("deleted_at") or (values.get("status") == DELETED) or None,
        **kept,
    )  # fmt: skip


def _dependencies(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for dependency in values.get("dependencies") or ():
        if isinstance(dependency, dict) and (target := text_of(dependency.get("depends_on_id"))):
            yield text_of(dependency.get("type")) or "needs", target

"""The candidates for a context: the memories that matter to a project, most important first, as
lines.

Read by SQL alone: the tables' records would cost a hook's process more to import than to read.
"""

from __future__ import annotations

import time

from .. import kinds
from ..kinds import KINDS, LETTERS, parse_ref
from ..search.document_sql import FACTS, LAST_SUMMARY, NEWEST, NOTE, NOTES, ONE, PINNED, SUMMARY
from ..text.tokens import token_weight
from .wrapper import defuse, sanitize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    import apsw


IN_FULL = 3
"""So many of the newest are given in full."""
LONG, MIDDLE, SHORT = 1_200, 300, 100
"""Characters of a text that is given in full, in a few words, or hardly."""

GLYPHS = {
    "decision": "◆", "bugfix": "●", "feature": "✚", "refactor": "↻", "discovery": "○",
    "change": "✎", "error": "✗", "note": "▪",
}  # fmt: skip
TABLE_HEADER = "id | time | type | title | tokens in full"


class Candidate:
    """A memory's lines in a section, `full`, and those for where there is less room, `brief`."""

    __slots__ = ("brief", "full", "ref", "section")

    def __init__(self, ref: str, section: str, full: list[str], brief: list[str]) -> None:
        self.ref = ref
        self.section = section
        # A title that ends in a word and the colon after it may make a marker together.
        self.full = [defuse(line) for line in full]
        self.brief = [defuse(line) for line in brief]


def candidates(
    db: apsw.Connection, project: str, first: Iterable[str] = (), relevant: Iterable[str] = ()
) -> Iterator[Candidate]:
    """Yield a project's memories, each once, the most important first.

    In order: those that its profile puts `first`, those that are `relevant` to a prompt, the pinned,
    the last summary, facts, notes, the newest in full, and a table of those before.
    """
    seen: set[str] = set()
    for candidate in _all(db, project, first, relevant):
        if candidate.ref not in seen:
            seen.add(candidate.ref)
            yield candidate


def _all(
    db: apsw.Connection, project: str, first: Iterable[str], relevant: Iterable[str]
) -> Iterator[Candidate]:
    for section, refs in (("Chosen", first), ("About this prompt", relevant)):
        for ref in refs:
            yield from _one(db, project, section, ref)
    for row in db.execute(PINNED, (project,)):
        yield _document(db, "Pinned", row, MIDDLE)
    for row in db.execute(LAST_SUMMARY, (project,)):
        yield _document(db, "Last session", row)
    for row in db.execute(FACTS, (project,)):
        yield _document(db, "Held true", row)
    for row in db.execute(NOTES, (project,)):
        yield _note("Notes", row)
    for place, row in enumerate(db.execute(NEWEST, (project,))):
        yield _document(db, "Newest", row) if place < IN_FULL else _table_row(row)


def _one(db: apsw.Connection, project: str, section: str, ref: str) -> Iterator[Candidate]:
    kind, number = parse_ref(ref) or ("", 0)
    if kind == "note":
        for row in db.execute(NOTE, (number, project)):
            yield _note(section, row)
    elif kind in LETTERS:
        for row in db.execute(ONE, (LETTERS[kind], number, project)):
            yield _document(db, section, row)


def _document(
    db: apsw.Connection, section: str, row: tuple[Any, ...], longest: int = LONG
) -> Candidate:
    letter, number, at, type, title, text, _ = row
    ref = kinds.ref(KINDS[letter], number)
    if letter == "s":
        return _summary(db, section, ref, number)
    title = sanitize(_first_line(title))[:MIDDLE]
    if letter == "f":
        sure = f" ({float(text):.0%})"
        line = f"- {ref} {title}{sure}"
        return Candidate(ref, section, [line], [f"- {ref} {title[:SHORT]}{sure}"])
    line = f"- {ref} {_moment(at)} {GLYPHS.get(type, '·')} {title}"
    body = sanitize(text)[:longest]
    full = f"{line}: {body}" if body and body != title else line
    return Candidate(ref, section, [full], [line])


def _table_row(row: tuple[Any, ...]) -> Candidate:
    _, number, at, type, title, text, size = row
    shown = sanitize(_first_line(title)).replace("|", "¦")
    sample = f"{title} {text}"
    cost = round(token_weight(sample) * max(1.0, size / len(sample)))
    lines = [
        f"{number} | {_moment(at)} | {GLYPHS.get(type, '·')} | {shown[:most]} | {cost}"
        for most in (MIDDLE, SHORT)
    ]
    return Candidate(str(number), "Earlier", lines[:1], lines[1:])


def _summary(db: apsw.Connection, section: str, ref: str, number: int) -> Candidate:
    fields = dict(db.execute(SUMMARY, (number,)))
    if fields.get("Completed"):
        fields.pop("Summary", None)
    lines = [(name, sanitize(text)) for name, text in fields.items() if text]
    return Candidate(
        ref,
        section,
        [f"- {ref} {name}: {text[: LONG // 2]}" for name, text in lines],
        [f"- {ref} {name}: {text[:SHORT]}" for name, text in lines],
    )


def _note(section: str, row: tuple[Any, ...]) -> Candidate:
    number, path, text = row
    ref = kinds.ref("note", number)
    head = f"- {ref} {sanitize(path)}"
    lines = [f"  {line}" for raw in text.splitlines() if (line := sanitize(raw).rstrip())]
    return Candidate(ref, section, [f"{head}:", *lines], [head])


def _moment(at: int) -> str:
    return time.strftime("%d %b %H:%M", time.localtime(at / 1_000))


def _first_line(title: str | None) -> str:
    return (title or "").strip().split("\n", 1)[0]

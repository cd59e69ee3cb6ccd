"""Adopt what an agent's file says into the memory: a line, a section or all of it, once."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from ...errors import InvalidRecordError, NotFoundError
from ...records.dataclasses import dataclass
from ...text.markdown import sections
from ...text.promoted import NAME, uid_in
from ...translation import _
from ..markup import split_front
from ..notes import field
from .writing import existing

if TYPE_CHECKING:
    from pathlib import Path

    from ...records import Note as NoteRecord
    from ...records import Record
    from ...store import Store

SOURCE = "files"
Form = Literal["fact", "decision", "note"]
FORMS: tuple[Form, ...] = ("fact", "decision", "note")


@dataclass(frozen=True, slots=True)
class Passage:
    """What is to be adopted: its file, what it is called, its text, and the line (from 1) it begins at;
    `heading` is the section's, "" where it is none, and `is_line` whether it is a line by itself."""

    path: Path
    title: str
    text: str
    line: int
    heading: str = ""
    is_line: bool = False

    @property
    def name(self) -> str:
        """Return the path that it has as a note of ours."""
        return f"{self.path}#{self.heading}" if self.heading else str(self.path)

    @property
    def key(self) -> str:
        """What it is known by: its file, and a hash of what it says."""
        words = " ".join(self.text.split())
        return f"{self.path}#{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()[:16]}"


def passage(path: Path, line: int = 0, heading: str = "") -> Passage:
    """Return a bullet or line of a file, one of its sections, or (neither named) what it says below its
    front matter. Raises NotFoundError, and InvalidRecordError for what was promoted from a memory."""
    shown = existing(path)
    lines = shown.text.splitlines()
    if line:
        if not 0 < line <= len(lines) or not lines[line - 1].strip():
            raise NotFoundError("{path} says nothing in line {line}.", path=path, line=line)
        text = lines[line - 1].strip()
        if uid := uid_in(text):
            raise InvalidRecordError("That line is the memory {uid}, which was promoted there.", uid=uid)
        for mark in ("- ", "* ", "+ "):
            text = text.removeprefix(mark)
        return Passage(shown.path, text, text.strip(), line, is_line=True)
    if uid := field(shown.text, NAME):
        raise InvalidRecordError(
            "{path} is the memory {uid}, which was promoted there.", path=path, uid=uid
        )
    if heading:
        parts = sections(shown.text)
        heading_text = heading.strip("# ").casefold()
        found = next((part for part in parts if part.title.casefold() == heading_text), None)
        if found is None:
            raise NotFoundError("{path} has no section {heading!r}.", path=path, heading=heading)
        ends = [part.line for part in parts if part.line > found.line and part.level <= found.level]
        text = "\n".join(lines[found.line : min(ends, default=len(lines) + 1) - 1])
        return _checked(Passage(shown.path, found.title, text.strip(), found.line, found.title))
    front = split_front(shown.text)
    title = field(shown.text, "description") or field(shown.text, "name") or shown.path.stem
    return _checked(Passage(shown.path, title, front.body.strip(), front.lines + 1))


def passages(path: Path) -> list[Passage]:
    """Return what can be adopted of a file: all of it, its sections, and its bullets. Raises what `passage`
    does for all of it."""
    passages = [passage(path)]
    lines = existing(path).text.splitlines()
    for number, text in enumerate(lines, 1):
        is_bullet = text.lstrip().startswith(("- ", "* ", "+ "))
        if is_bullet and not uid_in(text):
            passages.append(passage(path, number))
    for part in sections("\n".join(lines)):
        with suppress(InvalidRecordError, NotFoundError):
            passages.append(passage(path, heading=part.title))
    return sorted(passages, key=lambda part: (part.is_line or bool(part.heading), part.line))


def adopt(store: Store, part: Passage, form: Form, project: str) -> tuple[Record | NoteRecord, bool]:
    """Store a passage as a memory of ours, and return it, and whether it is new: a passage that was adopted
    before, and says the same, is the memory that it became."""
    place = f"{part.path}:{part.line}"
    origin: dict[str, Any] = {"source": SOURCE, "native_id": part.key}
    with store.change(_("{place} adopted", place=place)):
        if form == "note":
            known = next((note for note in store.notes.list(project) if note.native_id == part.key), None)
            if known is not None:
                return known, False
            note = store.notes.upsert(part.name, part.text, project=project, **origin)
            return note, True
        if form == "decision":
            event = f"{SOURCE}:{part.key}"
            if made := store.observations.where("event_id = ?", (event,)):
                return made[0], False
            decision = store.observations.add(
                None, title=part.title, narrative=part.text, type="decision", project=project,
                event_id=event, **origin,
            )  # fmt: skip
            return decision, True
        known_fact = store.facts.find(_statement(part), "O", project)
        if known_fact is not None:
            return known_fact, False
        fact = store.facts.add(_statement(part), project=project, sources=(place,), kind="O", **origin)
        return fact, True


def _statement(part: Passage) -> str:
    return " ".join(part.text.split())


def _checked(part: Passage) -> Passage:
    if not part.text:
        raise InvalidRecordError("{path} says nothing there.", path=part.path)
    return part

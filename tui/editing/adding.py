"""Adding a memory by hand."""

from __future__ import annotations

from typing import Any

from memtui.store import FACT_KINDS, FactKind, InvalidRecordError, Store, fact_kind, ref
from memtui.store.translation import _

from .conflict import AnyRecord

FIRST: dict[str, dict[str, Any]] = {
    "observation": {"type": "note"},
    "fact": {"kind": "O", "confidence": 1.0},
    "note": {},
}
"""What a new memory of each kind is offered to begin with."""

BEGUN = {
    "observation": ("title", _("A memory needs a title.")),
    "fact": ("content", _("A fact is one sentence: it needs a content.")),
    "note": ("path", _("A note needs a path, such as MEMORY.md.")),
}
"""The kinds that can be added, the field that each needs, and what is said where it is empty."""


def added(store: Store, kind: str, fields: dict[str, Any]) -> AnyRecord:
    """Store a new memory, as one undo, and return it. Raises InvalidRecordError, and nothing is stored."""
    needed, sentence = BEGUN[kind]
    begin = str(fields.get(needed, "")).strip()
    if not begin:
        raise InvalidRecordError(sentence)
    with store.change() as action:
        record = _added(store, kind, begin, fields)
        action.what = _("{kind} {memory} added", kind=_(kind), memory=ref(kind, record.id))
    return record


def _added(store: Store, kind: str, begin: str, fields: dict[str, Any]) -> AnyRecord:
    project = str(fields.get("project", ""))
    match kind:
        case "observation":
            made = store.observations.add(None, title=begin, project=project or None)
            return store.edit(ref(kind, made.id), fields)
        case "note":
            if any((note.path, note.project) == (begin, project) for note in store.notes.list()):
                raise InvalidRecordError("There is a note {path} already. Edit that one.", path=begin)
            return store.notes.upsert(begin, str(fields.get("text", "")), project=project)
    return store.facts.add(
        begin,
        kind=_letter(str(fields.get("kind", "opinion"))),
        project=project,
        entities=fields.get("entities", ()),
        confidence=_share(str(fields.get("confidence", "1"))),
    )


def _letter(word: str) -> FactKind:
    if result := fact_kind(word):
        return result
    raise InvalidRecordError(
        "A kind is {kinds}, not {word!r}.", kinds=", ".join(FACT_KINDS.values()), word=word
    )


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InvalidRecordError("Confidence is a number from 0 to 1, not {text!r}.", text=text) from error

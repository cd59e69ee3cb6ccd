"""Records as the command line gives them: as JSON objects, as rows, and as blocks for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...platform.clock import local_time, now_ms
from ...platform.translation import N_, _
from ...records import kinds
from ...records.dataclasses import annotations_of, asdict
from ...records.fields import FIELDS, filled_fields, is_taken_back
from ...records.rows import FACT_KINDS, SHOWN_KINDS, Common, Fact, Hit, ListRow, SessionRow, Summary
from ...tables.base import read_object
from ...tables.fact_sources import taken_by, taker_of
from .console import localized

if TYPE_CHECKING:
    from ...curation.superseding import Pointers
    from ...search.excerpts import Excerpt


UNSHOWN = frozenset(
    ("id", "updated_at", "origin", "editor", "hlc", "native_id", "fingerprint", "content_hash",
     "superseded_by")
)  # fmt: skip
"""Bookkeeping that people rarely look for; JSON has it."""

Json = dict[str, object]


def ref(record: Common) -> str:
    """Return how people name a record: 12, p12, s12, f12, n12, @12."""
    return kinds.ref_of(record)


def named(record: Common) -> str:
    """Return a record's kind and ref, as sentences name it: "prompt p12"."""
    return _("{kind} {ref}", kind=_(kinds.kind_of(record)), ref=ref(record))


def record_json(record: Common) -> Json:
    """Return a record's own fields, and its `ref`."""
    content = {"ref": ref(record), **asdict(record), "extra": _told_extra(record)}
    if isinstance(record, Fact):
        content["kind_name"] = FACT_KINDS.get(record.kind, record.kind)
    return content


def summary_json(summary: Summary, briefs: Sequence[Summary]) -> Json:
    """Return a summary's own fields, and as `brief` those of its brief level; null where it has none."""
    return record_json(summary) | {"brief": record_json(briefs[0]) if briefs else None}


def summary_fields(
    summary: Summary, briefs: Sequence[Summary]
) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield the names and values of a summary's fields that say something, and of its brief level."""
    yield from record_fields(summary)
    for brief in briefs:
        texts = (
            f"{localized(field.name)}: {text}"
            for field, text in filled_fields(brief)
            if field.form == "text"
        )
        yield _("brief ({ref})", ref=ref(brief)), tuple(texts)


def fact_json(fact: Fact, pointers: Pointers) -> Json:
    """Return a fact's own fields, who took it ("user", "assistant", "agreed"), and by ref and title what
    supersedes it (null for nothing, or what is not in this store) and what it supersedes."""
    by = pointers.by
    return record_json(fact) | {
        "taken_by": taken_by(fact.extra) or None,
        "successor": None if by is None else _pointer_json(by),
        "supersedes": [_pointer_json(item) for item in pointers.supersedes],
    }


def _pointer_json(fact: Fact) -> Json:
    title = None if fact.private else fact.content
    return {"ref": ref(fact), "uid": fact.uid, "title": title}


def fact_fields(fact: Fact, pointers: Pointers) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield who took a fact, what supersedes it or is superseded by it, and the names and values of its
    fields that say something."""
    if taker := taker_of(fact.extra):
        yield N_("said by"), localized(taker)
    if pointers.is_superseded:
        yield N_("superseded by"), pointers.successor
    if pointers.supersedes:
        yield N_("supersedes"), pointers.predecessors
    yield from record_fields(fact)


def session_json(row: SessionRow, state: str | None = None) -> Json:
    """Return a session's own fields, with how it stands now, and its counts; `state` is whether its
    agent is busy or waiting, None where that isn't known."""
    counts = asdict(row)
    del counts["session"]
    stands = {"status": row.status_at(now_ms()), "state": state}
    return record_json(row.session) | stands | counts


def list_row_json(entry: ListRow) -> Json:
    """Return a list row's own fields, and its `ref`."""
    return {"ref": entry.ref, **asdict(entry)}


def author_json(authors: Mapping[str, str], ref: str) -> Json:
    """Return who shared a memory, where that is a teammate; nothing of one's own."""
    return {"author": authors[ref]} if ref in authors else {}


def hit_json(hit: Hit, session: str | None, shown: Excerpt | None = None) -> Json:
    """Return a hit of a search; `session` is the content id of its session, matches stand in « ».

    `similarity` is how near its meaning is, where that made it one; null elsewhere. `passage` answers best,
    as it is `shown`. `turn` is null where it belongs to none, else what was asked, what came of it, and the
    refs of its other records that were found.
    """
    entry = hit.row
    return {
        "kind": entry.kind,
        "id": entry.record_id,
        "ref": entry.ref,
        "uid": hit.record.uid,
        "title": entry.title,
        "snippet": hit.snippet.marked(),
        "score": hit.score,
        "tier": hit.tier,
        "project": entry.project,
        "session": session,
        "type": entry.type,
        "created_at": entry.created_at,
        "superseded": entry.superseded,
        "taken_back": entry.taken_back,
        "stale": entry.stale,
        "told": entry.told,
        "pending": entry.pending,
        "similarity": hit.similarity,
        "turn": _turn_json(hit, shown),
        "passage": shown.passage if shown else hit.passage.text,
    }


def _turn_json(hit: Hit, shown: Excerpt | None) -> Json | None:
    if hit.turn is None or shown is None:
        return None
    return {
        "number": hit.turn.number,
        "kind": hit.turn.kind,
        "question": shown.question,
        "verdict": shown.verdict,
        "others": list(hit.turn.others),
    }


def record_fields(record: Common) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield the names and values of a record's fields that say something, as people read them."""
    content = {field.name: value for field, value in filled_fields(record)}
    if is_taken_back(record):
        yield N_("taken back"), localized("yes")
    known = {field.name for field in FIELDS[kinds.kind_of(record)]}
    about = {name: getattr(record, name) for name in annotations_of(record) if name not in known}
    for name, value in (about | {"extra": _told_extra(record)} | content).items():
        if name in UNSHOWN or value in (None, "", ()) or (isinstance(value, int) and not value):
            continue
        if name == "session_id":
            yield N_("session"), f"@{value}"
        elif name.endswith("_at"):
            yield name, local_time(value)
        elif isinstance(value, tuple):
            yield name, value
        elif name == "type":
            yield name, localized(str(value))
        elif name == "kind":
            yield name, localized(SHOWN_KINDS.get(value, value))
        else:
            yield name, localized("yes") if value is True else str(value)


def _told_extra(record: Common) -> str | None:
    """A record's `extra` without what an observer keeps in it of each turn: the summary says that."""
    extra = record.extra
    if not extra or '"turns"' not in extra or '"observer"' not in extra:
        return extra
    import json

    fields = {name: value for name, value in read_object(extra).items() if name != "turns"}
    return json.dumps(fields, ensure_ascii=False)

"""What is told of each kind of record: its fields by name, each made fit for a fence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...platform.clock import local_time
from ...records import fields, kinds
from ...records.rows import FACT_KINDS, Fact, Note, Observation, Session
from ...search.listing.teammates import Teammates, by
from ...text.plural import english_count
from .answer import Told, flat, hidden_by, whole

if TYPE_CHECKING:
    from ...store import Store

Value = str | int | float | bool | list[str]

HEAD = ("type", "at", "project", "session", "title")
FLAGS = ("pinned", "hidden", "taken_back", "reported")
FURTHER = ("uid", "updated", "source")
"""Fields of every kind that are answered only when they are asked for."""
NAMES = {
    kind: {"fact_kind" if field.form == "kind" else field.name: field for field in listed}
    for kind, listed in fields.FIELDS.items()
}
"""The fields of each kind by the names that agents know them by."""
FIELDS = tuple(
    dict.fromkeys(
        [*HEAD, *FLAGS]
        + [
            name
            for is_further in (False, True)
            for named in NAMES.values()
            for name, field in named.items()
            if field.is_further is is_further
        ]
        + list(FURTHER)
    )
)
"""All names that can be chosen."""
_ALL = [field for listed in fields.FIELDS.values() for field in listed]
LINES = frozenset(field.name for field in _ALL if field.form == "line")
LISTS = frozenset(field.name for field in _ALL if field.form in ("items", "uids")) | {"reported"}
"""Fields whose items stand on a line each."""


def names_of(record: Told) -> tuple[str, ...]:
    """Return the names of what is told of a record unless fields are chosen."""
    filled = {field.name for field, _ in fields.filled_fields(record) if not field.is_further}
    known = NAMES[kinds.kind_of(record)].items()
    names = [name for name, field in known if field.name in filled or name in COMPUTED]
    return tuple(dict.fromkeys([*HEAD, *FLAGS, *names]))


def has(record: Told, name: str) -> bool:
    """Return whether a record of this kind has a field."""
    return name in NAMES[kinds.kind_of(record)] or name in (*HEAD, *FLAGS, *FURTHER)


def value_of(store: Store, record: Told, name: str) -> Value | None:
    """Return the value of a field, made fit for a fence; None where it says nothing."""
    if name in COMPUTED:
        return COMPUTED[name](store, record)
    value: object = getattr(record, name, None)
    if isinstance(value, tuple):
        return [said for item in value if (said := flat(str(item)))]
    if isinstance(value, bool | int | float):
        return value or None
    if value is None:
        return None
    return flat(str(value)) if name in LINES else whole(str(value)).strip("\n")


def _at(_: Store, record: Told) -> str:
    return local_time(record.started_at if isinstance(record, Session) else record.created_at)


def _session(_: Store, record: Told) -> str | None:
    number = getattr(record, "session_id", None)
    return f"@{number}" if number else None


def _taken_back(_: Store, record: Told) -> bool | None:
    return fields.is_taken_back(record) or None


def _reported(store: Store, record: Told) -> list[str] | None:
    if isinstance(record, Note | Session):
        return None
    return [
        flat(f"{report.verdict} by {report.by}: {report.reason}".removesuffix(": "))
        for report in store.reporting.of(record)
    ]


def _superseded_by(store: Store, record: Told) -> str | None:
    if not isinstance(record, Fact):
        return None
    successor = store.superseding.pointers(record).by
    if successor is None or not successor.is_visible:
        return "a fact that is not here any more" if record.superseded_by else None
    return next(iter(_told(store, [successor])), "a teammate's fact, of which agents are told nothing")


def _supersedes(store: Store, record: Told) -> list[str] | None:
    if not isinstance(record, Fact):
        return None
    earlier = store.superseding.pointers(record).supersedes
    return _told(store, [fact for fact in earlier if fact.is_visible])


def _told(store: Store, facts: Sequence[Fact]) -> list[str]:
    """Return those of the facts that agents are told of, a teammate's with its author."""
    authors = Teammates(store.db).told(kinds.ref_of(fact) for fact in facts)
    return [
        f"{ref} {f'{by(author)} ' if (author := authors[ref]) else ''}{flat(fact.content)}"
        for fact in facts
        if (ref := kinds.ref_of(fact)) in authors
    ]


def _changed_since(store: Store, record: Told) -> list[str] | None:
    if not isinstance(record, Observation):
        return None
    return [flat(file.path) for file in store.changed_files(record)]


def _holds(store: Store, record: Told) -> str | None:
    if not isinstance(record, Session):
        return None
    row = store.sessions.row(record)
    counts = {"prompts": row.prompts, "observations": row.observations, "summaries": row.summaries}
    return ", ".join(english_count(number, what) for what, number in counts.items())


def _summary(store: Store, record: Told) -> str | None:
    if not isinstance(record, Session):
        return None
    content = store.summaries.with_levels(record)
    return kinds.ref("summary", content[-1][0].id) if content else None


def _fact_kind(_: Store, record: Told) -> str | None:
    return FACT_KINDS.get(record.kind) if isinstance(record, Fact) else None


def _ended(_: Store, record: Told) -> str | None:
    ended = record.completed_at if isinstance(record, Session) else None
    return None if ended is None else local_time(ended)


COMPUTED: dict[str, Callable[[Store, Told], Value | None]] = {
    "reported": _reported,
    "at": _at,
    "session": _session,
    "hidden": lambda _, record: hidden_by(record),
    "taken_back": _taken_back,
    "superseded_by": _superseded_by,
    "supersedes": _supersedes,
    "files_changed_since": _changed_since,
    "holds": _holds,
    "summary": _summary,
    "fact_kind": _fact_kind,
    "ended": _ended,
    "updated": lambda _, record: local_time(record.updated_at),
}
"""What is no field as it is stored."""

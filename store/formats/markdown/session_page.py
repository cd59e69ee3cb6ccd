"""Sessions and chosen memories as Markdown pages: front matter, then records by time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from heapq import merge
from io import BytesIO
from typing import Any, BinaryIO, TypeVar

import apsw

from ...platform.errors import NotFoundError
from ...records.fields import filled_fields, flags_of
from ...records.kinds import TABLES, parse_ref
from ...records.rows import FACT_KINDS, Common, Fact, Note, Observation, Prompt, Session, Summary
from ...store import Store
from ...tables.base import columns, to_record
from ...text.times import iso
from ..common.scope import ALL, Scope
from .escaping import block, bullets, front_matter, inline


def write_session(file: BinaryIO, session: Session, title: str, happenings: Iterable[Happening]) -> None:
    """Write the page of a session of this title. `happenings` come by time; no more than one is held."""
    heading = title or f"Session {session.content_session_id}"
    fields = {
        "session": session.content_session_id,
        "agent": session.agent,
        "project": session.project,
        "directory": session.project_path,
        "status": session.status,
        "started": iso(session.started_at),
        "completed": iso(session.completed_at) if session.completed_at is not None else None,
        "memory_session": session.memory_session_id,
        "source": session.source,
        "uid": session.uid,
        **dict.fromkeys(flags_of(session), True),
    }
    _put(file, front_matter(fields))
    _put(file, f"\n# {inline(heading[:200]) or 'Session'}\n")
    for item in happenings:
        _put(file, "\n" + "".join(happening(item)))


def happening(item: Happening) -> Iterator[str]:
    """Yield the parts of a record's section, a heading first."""
    when = iso(item.created_at)[:19].replace("T", " ")
    if isinstance(item, Prompt):
        # Not every source numbers its prompts.
        number = f" {item.prompt_number}" if item.prompt_number else ""
        yield f"## {when} Prompt{number}{_marks(item)}\n\n{block(item.text)}"
        return
    if isinstance(item, Summary):
        yield f"## {when} Summary{_marks(item)}\n"
    else:
        title = inline(item.title or item.subtitle or "untitled")
        yield f"## {when} {inline(item.type)}: {title}{_marks(item)}\n"
    for field, value in filled_fields(item):
        heading = f"\n**{field.heading}**\n" if field.heading else ""
        if field.form == "text":
            yield f"{heading}\n{block(value)}"
        elif field.is_list:
            yield f"{heading}\n{bullets(value)}"
        elif field.form == "line" and field.heading:
            yield f"\n{field.heading}: {inline(value)}\n"
        elif field.name == "subtitle" and getattr(item, "title", None):
            yield f"\n{inline(value)}\n"


def _marks(item: Happening) -> str:
    flags = flags_of(item)
    return f" ({', '.join(flags)})" if flags else ""


def _put(file: BinaryIO, text: str) -> None:
    file.write(text.encode())


def fact_line(fact: Fact) -> str:
    """Return a fact as an item of a list."""
    marks = [FACT_KINDS.get(fact.kind, inline(fact.kind)), f"{fact.confidence:.0%} sure"]
    marks += [inline(fact.project)] if fact.project else []
    for field, value in filled_fields(fact):
        if field.is_list and not field.is_further:
            marks.append(", ".join(map(inline, value)))
    marks += flags_of(fact)
    return f"- {inline(fact.content)} ({'; '.join(marks)})\n"


def export_page(store: Store, file: BinaryIO, refs: Sequence[str], scope: Scope) -> dict[str, int]:
    """Write the records that refs name, as far as a scope lets them out; return how many of each
    table. Those that are gone meanwhile are left out."""
    counts: dict[str, int] = {}
    shown: dict[str, set[int]] = {}
    for ref in refs:
        kind, number = parse_ref(ref) or ("", 0)
        table = TABLES.get(kind, "")
        if table and table not in shown:
            sql = f"SELECT id FROM {table} t WHERE {scope.condition(table)}"
            shown[table] = {int(result) for (result,) in store.db.execute(sql)}
        if number not in shown.get(table, ()):
            continue
        try:
            record = store.record(ref)
        except NotFoundError:
            continue
        if counts:
            file.write(b"\n")
        if isinstance(record, Fact):
            file.write(fact_line(record).encode())
        else:
            about = " · ".join(inline(part) for part in (store.list_row(record).project, ref) if part)
            head, _, rest = "".join(happening(record)).partition("\n")
            file.write(f"{head}\n\n{about}\n{rest}".encode())
        counts[table] = counts.get(table, 0) + 1
    return counts


def markdown_of(store: Store, refs: Sequence[str]) -> str:
    """Return what refs name as Markdown, hidden records too: a note is its text, a session the page of
    what everyone sees in it. Those that are gone meanwhile are left out."""
    parts: list[str] = []
    for ref in refs:
        kind, _ = parse_ref(ref) or ("", 0)
        file = BytesIO()
        if kind not in ("note", "session"):
            export_page(store, file, [ref], ALL)
        else:
            with suppress(NotFoundError):
                record = store.any_record(ref)
                if isinstance(record, Session):
                    inside: list[Happening] = [
                        *store.prompts.of_session(record),
                        *store.observations.of_session(record),
                        *(summary for summary, _ in store.summaries.with_levels(record)),
                    ]
                    inside.sort(key=lambda happened: happened.created_at)
                    title = store.sessions.titles([record.id])[record.id]
                    write_session(file, record, title, inside)
                elif isinstance(record, Note):
                    file.write(record.text.encode("utf-8", "replace"))
        if written := file.getvalue().decode("utf-8", "replace").strip("\n"):
            parts.append(written)
    return "\n\n".join(parts) + "\n" if parts else ""


R = TypeVar("R", bound=Common)

Happening = Prompt | Observation | Summary


class SessionRows:
    """The prompts, observations and summaries of sessions, which have to be asked for in the order
    of their numbers. No more than one row of each table is held."""

    def __init__(self, db: apsw.Connection, scope: Scope) -> None:
        self._streams = [
            _Stream(in_sessions(db, record, table, scope))
            for record, table in (
                (Prompt, "prompts"),
                (Observation, "observations"),
                (Summary, "summaries"),
            )
        ]

    def of(self, session_id: int) -> Iterator[Happening]:
        """Yield the records of a session, by time."""
        results = (stream.of(session_id) for stream in self._streams)
        return merge(*results, key=lambda item: item.created_at)


class _Stream:
    """One table's rows by session, read one ahead."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def of(self, session_id: int) -> Iterator[Any]:
        while self._next is not None and self._next.session_id < session_id:
            self._next = next(self._rows, None)
        while self._next is not None and self._next.session_id == session_id:
            yield self._next
            self._next = next(self._rows, None)


def in_sessions(db: apsw.Connection, record: type[R], table: str, scope: Scope) -> Iterator[R]:
    """Return a table's exported records, by session and time.

    Only their keys are sorted. Without the LIMIT, SQLite would see no need for the inner order.
    """
    sql = (
        f"SELECT {columns(record, 't')} FROM (SELECT t.id FROM {table} t "
        f"WHERE {scope.condition(table)} ORDER BY t.session_id, t.created_at, t.id LIMIT -1) k "
        f"CROSS JOIN {table} t ON t.id = k.id"
    )
    return (to_record(record, row) for row in db.execute(sql))


def records(db: apsw.Connection, record: type[R], table: str, scope: Scope) -> Iterator[R]:
    """Return a table's exported records, by number."""
    sql = f"SELECT {columns(record, 't')} FROM {table} t WHERE {scope.condition(table)} ORDER BY t.id"
    return (to_record(record, row) for row in db.execute(sql))

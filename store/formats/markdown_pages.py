"""Memories as Markdown: a page a session, readable on its own, pages of the facts and notes, and one of
chosen memories; and escaping stored text, so that no heading, link or markup comes of it, nor the end of a
fence."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from heapq import merge
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import apsw

from ..database.files.atomic import create_private
from ..database.transaction import snapshot
from ..platform.errors import NotFoundError
from ..records.dataclasses import replace
from ..records.fields import filled_fields, flags_of
from ..records.kinds import TABLES, parse_ref
from ..records.rows import SHOWN_KINDS, Common, Fact, Note, Observation, Prompt, Session, Summary
from ..store import Store
from ..tables.base import columns, to_record
from ..text.display import safe
from ..text.times import iso
from .common.drafts import make_directories, translate_errors
from .common.report import Progress, ProgressCounter
from .common.scope import ALL, Scope, exported_titles


def export_markdown(
    store: Store, directory: Path, scope: Scope | None = None, progress: Progress | None = None
) -> dict[str, int]:
    """Write pages below a directory, as of one moment; return the number of records by kind.

    File names are letters and digits only, and end in the record's own, so that no two are one.
    Raises ExportError.
    """
    with snapshot(store.db):
        return _Export(store, directory, scope or Scope(), progress).run()


class _Export:
    """One run."""

    def __init__(self, store: Store, directory: Path, scope: Scope, progress: Progress | None) -> None:
        self.db = store.db
        self.directory = directory
        self.scope = replace(scope, noise=False)
        total: Any = store.db.execute("SELECT count(*) FROM sessions").get
        self.counter = ProgressCounter(int(total), progress)

    def run(self) -> dict[str, int]:
        inside = SessionRows(self.db, self.scope)
        sessions = records(self.db, Session, "sessions", self.scope)
        titles = exported_titles(self.db, self.scope)
        for session in self.counter.counted("sessions", sessions):
            title = titles[session.id]
            own = f"{iso(session.started_at)[:10] or 'undated'}-{file_name(title, 'session')}"
            with self._page(session.project, f"{own}-{_mark(session)}") as file:
                write_session(file, session, title, inside.of(session.id))
        notes = records(self.db, Note, "notes", self.scope)
        for note in self.counter.counted("notes", notes):
            name = f"{file_name(note.path, 'note')}-{_mark(note)}"
            with self._page(note.project, "notes", name) as file:
                fields: dict[str, str | int | bool | None] = {
                    "note": note.path,
                    "project": note.project,
                    "changed": iso(note.updated_at),
                    "uid": note.uid,
                }
                head = front_matter(fields | dict.fromkeys(flags_of(note), True))
                file.write(f"{head}\n{block(note.text)}".encode())
        facts = self.counter.counted("facts", records(self.db, Fact, "facts", self.scope))
        if (some := next(facts, None)) is not None:
            with self._page(None, "facts") as file:
                file.write(b"# Facts\n\n")
                for fact in chain((some,), facts):
                    file.write(fact_line(fact).encode())
        return self.counter.counts

    @contextmanager
    def _page(self, project: str | None, *names: str) -> Iterator[BinaryIO]:
        """Open a new file below the directory, in its project's folder, if it is of one."""
        folder = self.directory
        if project is not None:
            folder /= file_name(project, "no-project")
        path = folder.joinpath(*names[:-1], f"{names[-1]}.md")
        make_directories(path.parent)
        with translate_errors(path), os.fdopen(create_private(path), "wb") as file:
            yield file


def _mark(record: Common) -> str:
    return record.uid.replace("-", "")[-12:]


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
    marks = [SHOWN_KINDS.get(fact.kind, inline(fact.kind)), f"{fact.confidence:.0%} sure"]
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
        if kind == "session":
            title = exported_titles(store.db, scope)[number]
            inside = SessionRows(store.db, scope).of(number)
            write_session(file, store.sessions.get(number), title, inside)
            counts[table] = counts.get(table, 0) + 1
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


_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+!|~&]")
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>()#+!|~&"})
_MARKUP_IN_PROSE = re.compile(r"([\\`*\[\]<>|~]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_]))")
_BEGINS_BLOCK = re.compile(r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=([#+=-])\2*(?:\s|$)))")
_TICKS = re.compile("`+")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")

LONGEST = 120
"""Bytes of a name; file systems allow 255, and a suffix follows."""

RESERVED = {"con", "prn", "aux", "nul"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}
"""Names that Windows keeps for devices, whatever the extension."""

_OTHER = re.compile(r"[^\w]+|_+")


def inline(text: str) -> str:
    """Return a text on one line of prose, its markup escaped."""
    shown = safe(text)
    return (shown.translate(_ESCAPED) if _MARKUP.search(shown) else shown).strip()


def prose(text: str) -> str:
    """Return the same with no more escaped than has to be, for it is read as it is, too. Code between
    single backticks stays: nothing in it is markup."""
    parts = safe(text).strip().split("`")
    are_pairs = len(parts) % 2 and all(part.strip() for part in parts[1::2])
    escaped = "`".join(
        part if are_pairs and at % 2 else _MARKUP_IN_PROSE.sub(r"\\\1", part)
        for at, part in enumerate(parts)
    )
    if not are_pairs:
        escaped = escaped.replace("`", "\\`")
    return _BEGINS_BLOCK.sub(lambda match: f"{match[1] or ''}\\", escaped)


def block(text: str) -> str:
    """Return a text in a fence longer than any run of backticks in it."""
    shown = safe(text, newlines=True).rstrip("\n")
    longest = max(map(len, _TICKS.findall(shown))) if "`" in shown else 0
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}\n"


def bullets(items: Iterable[str]) -> str:
    """Return a list, an item a line."""
    return "".join([f"- {inline(item)}\n" for item in items])


def front_matter(fields: Mapping[str, str | int | bool | None]) -> str:
    """Return the fields that have a value as YAML. Texts are quoted as JSON, which YAML reads
    alike."""
    lines = [f"{name}: {_scalar(value)}" for name, value in fields.items() if value not in (None, "")]
    return "\n".join(["---", *lines, "---", ""])


def _scalar(value: str | int | bool | None) -> str:
    return quoted(safe(value)) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    """Return a text between quotation marks, as JSON and YAML both read it."""
    result = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", result)


def file_name(text: str, otherwise: str = "untitled") -> str:
    """Return the letters and digits of a text, joined by hyphens; `otherwise` where it has none."""
    plain = unicodedata.normalize("NFKC", text[:400])
    joined = _OTHER.sub("-", plain).strip("-")
    cut = joined.encode()[:LONGEST].decode(errors="ignore").strip("-") or otherwise
    return f"{cut}-" if cut.casefold() in RESERVED else cut

"""Export chosen memories as one Markdown page, in the order in which they were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from typing import BinaryIO

from ...errors import NotFoundError
from ...kinds import TABLES, parse_ref
from ...records import Fact, Note, Session
from ...store import Store
from ..common.scope import ALL, Scope
from .escaping import inline
from .session_page import fact_line, happening, write_session
from .session_rows import Happening


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
                record = store.find(ref)
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

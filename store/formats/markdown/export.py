"""Export as Markdown: a page a session, readable on its own, and pages of the facts and notes.

PROJECT/2026-02-17-why-does-login-fail-0c1e8a3d5b7f.md
PROJECT/notes/MEMORY-md-5b7f0c1e8a3d.md
facts.md
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from ...database.files.atomic import create_private
from ...database.transaction import snapshot
from ...records.dataclasses import replace
from ...records.fields import flags_of
from ...records.rows import Common, Fact, Note, Session
from ...store import Store
from ...text.times import iso
from ..common.drafts import make_directories, translate_errors
from ..common.report import Progress, ProgressCounter
from ..common.scope import Scope, exported_titles
from .escaping import block, file_name, front_matter
from .session_page import SessionRows, fact_line, records, write_session


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

"""A record edited as a Markdown document in the user's own editor: which editor that is, and what was
written so far, which no mistake and no conflict loses.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...curation.editing import field_values
from ...errors import EditConflictError, InvalidRecordError
from ...kinds import kind_of, ref
from ...links.editor import EditorError, open_in_editor
from ...paths import make_spool_directory
from ...translation import _
from .record import read_document, to_document, with_problem

if TYPE_CHECKING:
    from ...curation.editing import AnyRecord


class Draft:
    """What the editor is given of a record, as it was read first or as it was written last."""

    def __init__(self, record: AnyRecord) -> None:
        self.record = record
        """What the document is compared with: the record as it was read."""
        self.document = to_document(record)
        """What the editor is given."""
        self.problem = ""
        """What the document's top says is wrong."""
        self._first = self.document
        self._refused: str | None = None

    @property
    def file_name(self) -> str:
        """Return a name for the document's file: `observation-12.md`."""
        kind = kind_of(self.record)
        return f"{kind}-{self.record.id}.md"

    def is_untouched(self, written: str) -> bool:
        """Return whether nothing was ever written: the document is as it was made of the record."""
        return written == self._first

    def is_given_up(self, written: str) -> bool:
        """Return whether the editor left the document as it got it, or wrote again what was refused."""
        return written in (self.document, self._refused)

    def read(self, written: str) -> dict[str, Any]:
        """Return the fields that were changed. Raises InvalidRecordError; the document then says why,
        above what was written."""
        try:
            return read_document(written, self.record)
        except InvalidRecordError as error:
            self.refuse(written, str(error))
            raise

    def refuse(self, written: str, problem: str) -> None:
        """Have the editor given what was written again, with what is wrong at its top."""
        self._refused = written
        self.document = with_problem(written, problem)
        self.problem = problem

    def conflict(self, written: str, error: EditConflictError) -> None:
        """Have the editor given what was written again, with what others have changed at its top; what
        is written from now on is compared with theirs."""
        present: AnyRecord = error.present  # type: ignore[assignment]
        fields = read_document(written, self.record)
        self.refuse(written, _both(self.record, present, fields))
        self.record = present


def _both(read: AnyRecord, present: AnyRecord, fields: dict[str, Any]) -> str:
    """What both say, where another process has changed the memory meanwhile."""
    kind = kind_of(present)
    lines = [
        _(
            "{kind} {ref} was changed meanwhile. Save to store what stands below; leave this as it "
            "is to keep theirs. They have changed:",
            kind=_(kind).capitalize(),
            ref=ref(kind, present.id),
        )
    ]
    before = field_values(read)
    for name, value in field_values(present).items():
        if value != before[name]:
            mine = _(" (you: {value})", value=f"{fields[name]!r:.200}") if name in fields else ""
            lines.append(f"  {name}: {value!r:.400}{mine}")
    if len(lines) == 1:
        lines.append(_("  whether it is pinned, private or deleted"))
    return "\n".join(lines)


def run_editor(path: Path) -> None:
    """Let the user edit a file with $VISUAL, $EDITOR, or an editor that is found. InvalidRecordError
    says why it could not be edited."""
    try:
        open_in_editor(path)
    except EditorError as error:
        raise InvalidRecordError("{error} Nothing was changed.", error=error) from error


def write_document(path: Path, document: str) -> None:
    """Write a document to a file that only its owner reads."""
    path.touch(0o600)
    path.write_text(document, "utf-8")
    path.chmod(0o600)


def read_written(path: Path) -> str:
    """Return what stands in the file that was edited, `` where it is gone."""
    return path.read_bytes().decode("utf-8", "replace") if path.exists() else ""


def keep(path: Path, written: str, database: Path) -> str:
    """Keep what was written beside the memory, where a purge looks too, else among temporary files;
    return where."""
    directory = None
    with suppress(OSError):
        directory = make_spool_directory(database)
    descriptor, kept = tempfile.mkstemp(".md", f"mem-{path.stem}-", directory)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(written)
    return kept

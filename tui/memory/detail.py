"""The whole of one memory."""

from __future__ import annotations

from textual.content import Content

from store import ListRow, Query, Record, Session

from ..parts.text_view import TextView
from ..protocol import browser
from ..text.content import DIM, Passage
from ..text.records import record_passages


class Detail(TextView):
    """A record to read; `entry` is the one that is shown."""

    entry: ListRow | None = None

    def show_record(
        self, record: Record, entry: ListRow, session: Session | None, query: Query, now: int
    ) -> None:
        """Show a record with the query's matches highlighted; the same one again stays scrolled."""
        same = self.entry is not None and self.entry.document_id == entry.document_id
        self.entry = entry
        read_only = browser(self).read_only
        told = record_passages(record, entry, session, query, now, read_only=read_only)
        self.show(told, hold=same)

    def show_nothing(self) -> None:
        """Say that nothing is selected."""
        self.entry = None
        self.show([Passage(Content.styled("Nothing is selected.", DIM))])

"""One memory to read: as a pane, and as a whole screen."""

from __future__ import annotations

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content

from store import ListRow, Query, Record, Session, Store

from ..parts.text_view import TextView
from ..protocol import browser
from ..screen import MemScreen
from ..text.content import DIM, Passage
from ..text.records import record_passages


class Detail(TextView):
    """A record to read; `row` is the one that is shown."""

    row: ListRow | None = None

    def show_record(
        self, record: Record, row: ListRow, session: Session | None, query: Query, now: int
    ) -> None:
        """Show a record with the query's matches highlighted; the same one again stays scrolled."""
        same = self.row is not None and self.row.document_id == row.document_id
        self.row = row
        read_only = browser(self).read_only
        told = record_passages(record, row, session, query, now, read_only=read_only)
        self.show(told, hold=same)

    def show_nothing(self) -> None:
        """Say that nothing is selected."""
        self.row = None
        self.show([Passage(Content.styled("Nothing is selected.", DIM))])


class MemoryScreen(MemScreen):
    """The record behind an row, which belongs to `session`."""

    CSS_PATH = "screen.tcss"
    place = "Memory"

    detail = getters.query_one(Detail)

    def __init__(self, row: ListRow, session: Session | None) -> None:
        super().__init__()
        self._entry = row
        self._session = session

    @property
    def row(self) -> ListRow | None:
        return self._entry

    def body(self) -> ComposeResult:
        yield Detail()

    def on_mount(self) -> None:
        self._load()

    def store_changed(self) -> None:
        self._load()

    @work(exclusive=True, group="memory")
    async def _load(self) -> None:
        def found(store: Store) -> tuple[Record, ListRow]:
            record = store.record_of(self._entry)
            return record, store.list_row(record)

        record, self._entry = await self.browser.side.run(found)
        self.detail.show_record(record, self._entry, self._session, Query(), self.browser.now())

"""One memory to read: as a pane, and as a whole screen."""

from __future__ import annotations

from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content

from memtui.store import ListRow, Query, Record, Session, Store
from memtui.store.platform.translation import N_, _

from .parts.document_view import DocumentView
from .protocol import ReadingMode, browser
from .screen import MemScreen
from .text.content import DIM, Passage
from .text.records import ALONE, Surroundings, record_passages


class Detail(DocumentView):
    """A record to read; `row` is the one that is shown."""

    row: ListRow | None = None

    def show_record(
        self,
        record: Record,
        row: ListRow,
        session: Session | None,
        query: Query,
        now: int,
        beside: Surroundings = ALONE,
    ) -> None:
        """Show a record with the query's matches highlighted, and what is told beside it; the same one
        again stays scrolled."""
        same = self.row is not None and self.row.document_id == row.document_id
        self.row = row
        read_only = browser(self).read_only

        def render(reading: ReadingMode) -> list[Passage]:
            return record_passages(
                record, row, session, query, now,
                read_only=read_only, beside=beside, reading=reading,
            )  # fmt: skip

        self.show_document(render, hold=same)

    def show_nothing(self) -> None:
        """Say that nothing is selected."""
        self.row = None
        self.show_other([Passage(Content.styled(_("Nothing is selected."), DIM))])


class MemoryScreen(MemScreen):
    """The record behind a row, which belongs to `session`."""

    CSS = "MemoryScreen > Detail { height: 1fr; }"
    place = N_("Memory")

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
        has_marks = self.browser.team_marks.is_on

        def found(store: Store) -> tuple[Record, ListRow, Surroundings]:
            record = store.record_of(self._entry)
            beside = Surroundings.of(store, record, has_marks=has_marks)
            return record, store.list_row(record), beside

        record, self._entry, beside = await self.browser.side.run(found)
        now, session = self.browser.now(), self._session
        self.detail.show_record(record, self._entry, session, Query(), now, beside)

"""One memory, to read: the whole screen."""

from __future__ import annotations

from textual import getters, work
from textual.app import ComposeResult

from store import ListRow, Query, Record, Session, Store

from ..screen import MemScreen
from .detail import Detail


class MemoryScreen(MemScreen):
    """The record behind an entry, which belongs to `session`."""

    CSS_PATH = "screen.tcss"
    place = "Memory"

    detail = getters.query_one(Detail)

    def __init__(self, entry: ListRow, session: Session | None) -> None:
        super().__init__()
        self._entry = entry
        self._session = session

    @property
    def entry(self) -> ListRow | None:
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

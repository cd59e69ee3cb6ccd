"""Finding words in all that a session holds: its prompts, observations and summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from textual.widget import Widget

from memtui.store.aio import AsyncStore
from memtui.store.text.plural import count_noun

from ..parts.text_find import Told, stepped
from ..text.content import joined


class Shown(Protocol):
    """The screen of a session."""

    @property
    def list_in_front(self) -> Widget | None:
        """The list of the tab that is shown."""
        ...

    async def show_ref(self, ref: str) -> bool:
        """Select a memory, in the tab that is shown if it is there; return whether it is anywhere."""
        ...

    def run_worker(self, work: Any, *, group: str, exclusive: bool) -> object:
        """As Textual's screens have it."""
        ...


class InSession:
    """The titles and texts of a session's memories, in time order."""

    steps = True

    def __init__(
        self,
        screen: Shown,
        reader: AsyncStore,
        session_id: int,
        selected: str | None,
        told: Told,
    ) -> None:
        self._screen = screen
        self._reader = reader
        self._session_id = session_id
        self._before = selected
        self._told = told
        self._refs: Sequence[str] = ()
        self._at = 0

    @property
    def widget(self) -> Widget | None:
        """The list of the tab in front."""
        return self._screen.list_in_front

    def look_for(self, words: str) -> None:
        """Select the first memory that holds what was typed."""
        self._screen.run_worker(self._look(words), group="find", exclusive=True)

    def step(self, steps: int) -> None:
        """Select the next memory that holds it, or the one before, round and round."""
        if many := len(self._refs):
            self._at, wrapped = stepped(self._at, steps, many)
            self._screen.run_worker(self._go(wrapped), group="find", exclusive=True)

    def end(self, *, restore: bool) -> None:
        """Leave the selection where it is, or have it where it was."""
        if restore and self._before is not None:
            self._screen.run_worker(
                self._screen.show_ref(self._before), group="find", exclusive=True
            )

    async def _look(self, words: str) -> None:
        number = self._session_id
        self._refs = await self._reader.run(lambda store: store.finding.in_session(number, words))
        self._at = 0
        if not words.strip():
            self._told("", False)
        elif not self._refs:
            self._told("nothing found", True)
        else:
            await self._go("")

    async def _go(self, wrapped: str) -> None:
        many = count_noun(len(self._refs), "memories")
        is_there = await self._screen.show_ref(self._refs[self._at])
        if not is_there:
            wrapped = "older than what is shown"
        self._told(joined(f"{self._at + 1:,} of {many}", wrapped), not is_there)

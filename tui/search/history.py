"""The queries used before, and the walk through them from what is being typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from store.aio import AsyncStore
from store.text.display import safe

MOST = 200


class History:
    """The newest first. It outlives the browser where the memory can be written."""

    def __init__(self, side: AsyncStore, texts: Iterable[str]) -> None:
        self.texts = [safe(text) for text in texts]
        self._side = side

    @classmethod
    async def load(cls, side: AsyncStore) -> Self:
        """What was remembered until now."""
        return cls(side, await side.run(lambda store: store.searches.recent(MOST)))

    async def remember(self, text: str) -> None:
        """Put a query at the front; a blank one is none."""
        text = text.strip()
        if text and self.texts[:1] != [text]:
            self.texts = [text, *(other for other in self.texts if other != text)]
            await self._side.run(lambda store: store.searches.remember(text))


class Walk:
    """From what was typed back to the oldest query, and forward again."""

    def __init__(self, typed: str, texts: Iterable[str]) -> None:
        self._steps = [typed, *(text for text in texts if text != typed.strip())]
        self._at = 0

    @property
    def text(self) -> str:
        """The query it is at."""
        return self._steps[self._at]

    @property
    def is_at_the_start(self) -> bool:
        """Whether it is at what was typed."""
        return self._at == 0

    @property
    def is_at_the_end(self) -> bool:
        """Whether it is at the oldest query."""
        return self._at == len(self._steps) - 1

    def step(self, steps: int) -> str:
        """The query so many steps back, or forward where `steps` is negative."""
        self._at = min(max(self._at + steps, 0), len(self._steps) - 1)
        return self.text

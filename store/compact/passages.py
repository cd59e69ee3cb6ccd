"""Passages: what of a long text is about some words, where nobody wants to read all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..search.related.second_tier import content_words, stems
from ..text.language.folding import fold
from ..text.language.sentences import split_sentences
from ..text.tokens import token_weight
from .fence import characters_within

if TYPE_CHECKING:
    from ..store import Store

FIELD = 400.0
"""Tokens of a field that are told; a text that is hardly longer is told whole."""
HARDLY_LONGER = 1.3
LONG_LINE = 300
"""Characters: of a longer line sentences are chosen."""
LEAST_ROOM = 10.0
GAP = "…"

Part = tuple[int, str]
"""A sentence, or a whole line, with the number of the line it is of."""


class Passages:
    """Chooses what of texts is about the words of a query, in any inflection."""

    def __init__(self, store: Store, about: str) -> None:
        words = content_words(store.parse(about))
        self._db = store.db
        self._stems = {stem for word in words for _, _, stem in stems(store.db, word)}
        self._others = [fold(word) for word in words if not word.isascii()]

    def of(self, text: str) -> str:
        """Return the parts of a text that hold most of the words, and those beside them, within FIELD
        tokens: its lines and sentences in their order, an ellipsis for what is left out. Where none
        holds any, the text's beginning; a text that is hardly longer is returned as it is."""
        if token_weight(text) <= FIELD * HARDLY_LONGER:
            return text
        parts = _parts(text)
        kept = self._chosen(parts)
        if not kept:
            return text[: characters_within(text, FIELD)] + GAP
        return _joined(parts, kept)

    def items(self, items: list[str]) -> list[str]:
        """Return the items of a list that `of` would tell of them."""
        if sum(map(token_weight, items)) <= FIELD * HARDLY_LONGER:
            return items
        kept = self._chosen(list(enumerate(items)))
        return [items[place] for place in sorted(kept)] or items[:1]

    def _chosen(self, parts: Sequence[Part]) -> set[int]:
        scores = [self._score(text) for _, text in parts]
        kept: set[int] = set()
        room = FIELD
        for best in sorted(range(len(parts)), key=lambda place: -scores[place]):
            if not scores[best] or room < LEAST_ROOM:
                break
            for place in (best, best + 1, best - 1):
                if place in kept or not 0 <= place < len(parts):
                    continue
                if (weight := token_weight(parts[place][1])) <= room:
                    kept.add(place)
                    room -= weight
        return kept

    def _score(self, text: str) -> int:
        held = {stem for _, _, stem in stems(self._db, text)} & self._stems
        folded = fold(text) if self._others else ""
        return len(held) + sum(word in folded for word in self._others)


def _parts(text: str) -> list[Part]:
    return [
        (number, part)
        for number, line in enumerate(text.split("\n"))
        for part in (
            split_sentences(line, is_typed=True, at_semicolons=True) if len(line) > LONG_LINE else [line]
        )
        if part.strip()
    ]


def _joined(parts: Sequence[Part], kept: set[int]) -> str:
    """Those parts, with a line break where there was one."""
    content = ""
    last = -1
    for place in sorted(kept):
        number, text = parts[place]
        if place != last + 1:
            content += f"\n{GAP}\n" if content else f"{GAP}\n"
        elif content:
            content += " " if parts[last][0] == number else "\n"
        content += text
        last = place
    return content if last == len(parts) - 1 else f"{content}\n{GAP}"

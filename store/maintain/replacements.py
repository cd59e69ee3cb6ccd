"""Find facts that say nearly the same, and facts that a later one may have replaced: the same but for a
number, or but for a "not"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Literal

from ..records import Fact
from ..records.dataclasses import dataclass
from ..store import Store
from .dedupe import SIMILARITY, Neighbours, sketch, words_of

Difference = Literal["another number", "a negation", "nearly the same words"]

AT_ONCE = 500

LEAST_WORDS = 2
"""Words, not counting numbers, that a fact needs to be compared; fewer say too little."""

NEGATIONS = frozenset(
    ("no", "not", "never", "none", "cannot", "without", "don", "doesn", "didn", "isn", "aren", "wasn",
     "weren", "won", "can't", "couldn", "shouldn", "wouldn", "mustn", "stopped", "dropped", "removed",
     "不", "没", "無", "无", "未", "别", "勿", "非")
)  # fmt: skip
FILLERS = frozenset(("t", "do", "does", "did", "longer", "any", "anymore", "more", "再"))
"""Auxiliary words beside a negation, which are left out with it."""

_DIGITS = re.compile(r"\d+")

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class FactPair:
    """Two facts of one project and kind that name the same: the earlier and the later one, how alike they
    are (0 to 100) but for what differs."""

    earlier: Fact
    later: Fact
    similarity: float
    difference: Difference

    @property
    def is_replacement(self) -> bool:
        """Whether the later one may take the place of the earlier, rather than say the same."""
        return self.difference != "nearly the same words"


def fact_pairs(
    store: Store,
    *,
    project: str | None = None,
    similarity: float = SIMILARITY,
    progress: Progress | None = None,
) -> Iterator[FactPair]:
    """Yield the pairs among the visible facts that hold, by project and time; of each fact the one with
    the latest before it. Those that a person told apart are left out. Nothing is changed."""
    parted = store.merging.merges.parted_ids("facts")
    total = store.facts.count_visible(project)
    done = 0
    numbers = store.facts.visible_by_project(project)
    for name, some in groupby(numbers, key=itemgetter(0)):
        finder = _Finder(similarity, parted)
        ids = [number for _, number in some]
        for start in range(0, len(ids), AT_ONCE):
            for fact in store.facts.by_ids(ids[start : start + AT_ONCE]):
                if fact.superseded_by is None and (pair := finder.take(fact)) is not None:
                    yield pair
            done += min(AT_ONCE, len(ids) - start)
            if progress:
                progress(done, total, name)


@dataclass(frozen=True, slots=True)
class _Core:
    """The words of a fact without numbers and negations, and these apart."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    negations: int


class _Finder:
    """The facts of one project, by what they say."""

    def __init__(self, similarity: float, parted: set[tuple[int, int]]) -> None:
        self.similarity = similarity
        self.parted = parted
        self.neighbours = Neighbours()
        self.facts: dict[int, tuple[Fact, _Core]] = {}

    def take(self, fact: Fact) -> FactPair | None:
        """Add a fact, later than all before; return the pair that it makes, None for none."""
        core = _core(fact.content)
        if sum("#" not in word for word in core.words) < LEAST_WORDS:
            return None
        found = sketch([*core.words])
        near = [self.facts[number] for number in self.neighbours.of(found)]
        self.neighbours.add(fact.id, found)
        self.facts[fact.id] = fact, core
        near.sort(key=lambda one: (one[0].created_at, one[0].id), reverse=True)
        return next(filter(None, (self._pair(*one, fact, core) for one in near)), None)

    def _pair(self, earlier: Fact, before: _Core, later: Fact, after: _Core) -> FactPair | None:
        from rapidfuzz.fuzz import ratio

        is_apart = (earlier.id, later.id) in self.parted
        if is_apart or earlier.kind != later.kind or not _name_the_same(earlier, later):
            return None
        alike = ratio(" ".join(before.words), " ".join(after.words), score_cutoff=self.similarity)
        if not alike:
            return None
        difference: Difference = "nearly the same words"
        if before.negations % 2 != after.negations % 2:
            difference = "a negation"
        elif before.numbers != after.numbers:
            difference = "another number"
        return FactPair(earlier, later, round(alike, 1), difference)


def _core(content: str) -> _Core:
    words = words_of(content)
    kept = (word for word in words if word not in NEGATIONS and word not in FILLERS)
    return _Core(
        tuple("#" if _DIGITS.search(word) else word for word in kept),
        tuple(number for word in words for number in _DIGITS.findall(word)),
        sum(word in NEGATIONS for word in words),
    )


def _name_the_same(one: Fact, other: Fact) -> bool:
    """Whether two facts have an entity in common, numbers in them aside, or one names none."""
    mine, theirs = (
        {_DIGITS.sub("#", name.casefold()) for name in fact.entities} for fact in (one, other)
    )
    return not mine or not theirs or bool(mine & theirs)

"""Find facts that say the same, and facts that a later one may have replaced: worded alike but for a
number, a name, a choice or a "not"; and in what two such texts differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Literal

from ...database.transaction import snapshot
from ...formats.common.report import Progress
from ...platform.translation import N_
from ...records.dataclasses import dataclass
from ...records.kinds import ref
from ...records.rows import Fact
from ...search.listing.rows import by_ids, document_of
from ...search.query.filters import where
from ...search.query.language import parse
from ...search.related.meaning import AMONG, StoreMeaning
from ...search.related.ranking import Parts, mix_meaning
from ...store import Store
from ...text.language.folding import words_of
from ...text.language.names import names_in
from ...text.language.same import CHINESE_NEGATIONS, NEGATIONS, says_the_same, spelled_out
from ...text.language.sketches import Neighbours, sketch

AT_ONCE = 500
SIMILARITY = 90.0
"""How alike, in %, two have to be but for what differs, of which the later may replace the earlier."""

LEAST_WORDS = 2
"""Words, not counting numbers, that a fact needs to be compared; fewer say too little."""


@dataclass(frozen=True, slots=True)
class FactPair:
    """Two facts of one project and kind that name the same: the earlier and the later one, how alike they
    are (0 to 100) but for what differs; `is_in_other_words`: by what they mean."""

    earlier: Fact
    later: Fact
    similarity: float
    difference: Difference
    is_in_other_words: bool = False

    @property
    def is_replacement(self) -> bool:
        """Whether the later one may take the place of the earlier, rather than say the same."""
        return self.difference not in SAME


def fact_pairs(
    store: Store,
    *,
    project: str | None = None,
    progress: Progress | None = None,
) -> Iterator[FactPair]:
    """Yield the pairs among the visible facts that hold, by project and time; of each fact the one with
    the latest before it; then those of which it was noted that the later may replace the earlier. Those
    that a person told apart are left out. Nothing is changed."""
    parted = store.merging.merges.parted_ids("facts")
    yielded = set[tuple[int, int]]()
    total = store.facts.count_visible(project)
    done = 0
    numbers = store.facts.visible_by_project(project)
    for name, some in groupby(numbers, key=itemgetter(0)):
        finder = _Finder(parted)
        ids = [number for _, number in some]
        for start in range(0, len(ids), AT_ONCE):
            for fact in store.facts.by_ids(ids[start : start + AT_ONCE]):
                if fact.superseded_by is None and (pair := finder.take(fact)) is not None:
                    yielded.add((pair.later.id, pair.earlier.id))
                    yield pair
            done += min(AT_ONCE, len(ids) - start)
            if progress:
                progress(done, total, name)
    for noted in store.facts.noted_replacements(project):
        if noted not in yielded and noted not in parted:
            later, earlier = map(store.facts.get, noted)
            yield FactPair(earlier, later, _alike(earlier, later), N_("a later decision"))


def _alike(earlier: Fact, later: Fact) -> float:
    from rapidfuzz.fuzz import ratio

    return round(ratio(" ".join(core(earlier.content).words), " ".join(core(later.content).words)), 1)


class _Finder:
    """The facts of one project, by what they say."""

    def __init__(self, parted: set[tuple[int, int]]) -> None:
        self.parted = parted
        self.neighbours = Neighbours()
        self.facts: dict[int, tuple[Fact, Core]] = {}

    def take(self, fact: Fact) -> FactPair | None:
        """Add a fact, later than all before; return the pair that it makes, None for none."""
        mine = core(fact.content)
        if sum("#" not in word for word in mine.words) < LEAST_WORDS:
            return None
        results = sketch([*mine.words])
        near = [self.facts[number] for number in self.neighbours.of(results)]
        self.neighbours.add(fact.id, results)
        self.facts[fact.id] = fact, mine
        near.sort(key=lambda pair: (pair[0].created_at, pair[0].id), reverse=True)
        return next(filter(None, (self._pair(*entry, fact, mine) for entry in near)), None)

    def _pair(self, earlier: Fact, before: Core, later: Fact, after: Core) -> FactPair | None:
        from rapidfuzz.fuzz import ratio

        is_apart = (earlier.id, later.id) in self.parted
        if is_apart or earlier.kind != later.kind or not name_the_same(earlier, later):
            return None
        is_same = says_the_same(earlier.content, later.content)
        least = 0.0 if is_same else SIMILARITY
        alike = ratio(" ".join(before.words), " ".join(after.words), score_cutoff=least)
        if not alike:
            return None
        content = "nearly the same words" if is_same else _difference(earlier, later)
        return FactPair(earlier, later, round(alike, 1), content)


def _difference(earlier: Fact, later: Fact) -> Difference:
    """Return in what two facts differ that are worded alike and don't say the same."""
    if content := difference(earlier.content, later.content):
        return content
    names, others = names_in(earlier.content)[0], names_in(later.content)[0]
    return N_("another name") if names != others else N_("another choice")


def name_the_same(item: Fact, other: Fact) -> bool:
    """Return whether two facts have an entity in common, numbers in them aside, or one names none."""
    mine, theirs = ({DIGITS.sub("#", name.casefold()) for name in fact.entities} for fact in (item, other))
    return not mine or not theirs or bool(mine & theirs)


HOLDING = "kind:fact -is:superseded"
WORDS, LETTERS = 32, 3
"""A fact is looked for by so many of its words, of so many letters or more."""


def likely_successors(store: Store, old: Fact, limit: int) -> list[Fact]:
    """Return other facts that hold and are most like one, the likest first: those that share its words,
    and, where vectors are kept, those that are near to it in meaning."""
    words = [word for word in old.content.split() if len(word) >= LETTERS]
    quoted = [f'"{text}"' for word in words if (text := word.replace('"', ""))][:WORDS]
    listed = store.find(f"{HOLDING} {' OR '.join(quoted)}").page(limit=limit).hits if quoted else []
    hits = [hit for hit in listed if hit.row.record_id != old.id]
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    results: Parts = {
        hit.row.document_id: {"words": hit.score / best} for hit in hits if hit.row.record_id != old.id
    }
    with snapshot(store.db):
        if (meaning := store.meaning()) is not None:
            _add_near(store, old, meaning, results)
        likest = sorted(results, key=lambda number: (-sum(results[number].values()), -number))[:limit]
        rows = by_ids(store.db, likest)
        return store.facts.by_ids(rows[value].record_id for value in likest if value in rows)


def _add_near(store: Store, old: Fact, meaning: StoreMeaning, found: Parts) -> None:
    """Add what is near to a fact in meaning, as a search does."""
    document = document_of(store.db, ref("fact", old.id))
    if document is not None:
        holding = where(store.db, parse(HOLDING))
        mix_meaning(found, meaning.near_document(store.db, document, holding, AMONG))


Difference = Literal[
    "another number", "a negation", "another name", "another choice", "nearly the same words",
    "in other words", "a later decision",
]  # fmt: skip
NEGATION: Difference = N_("a negation")
ANOTHER_NUMBER: Difference = N_("another number")
ANOTHER_NAME: Difference = N_("another name")
SAME: tuple[Difference, ...] = (N_("nearly the same words"), N_("in other words"))
"""No difference that says another thing."""

DENIALS = NEGATIONS.union(CHINESE_NEGATIONS)
FILLERS = frozenset(("do", "does", "did", "longer", "any", "anymore", "more", "再"))
"""Auxiliary words beside a negation, which are left out with it."""

DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Core:
    """The words of a text without numbers and negations, and these apart."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    negations: int


def core(text: str) -> Core:
    """Return the core of a text."""
    words = words_of(spelled_out(text))
    kept = (word for word in words if word not in DENIALS and word not in FILLERS)
    return Core(
        tuple("#" if DIGITS.search(word) else word for word in kept),
        tuple(number for word in words for number in DIGITS.findall(word)),
        sum(word in DENIALS for word in words),
    )


def difference(text: str, other: str) -> Difference | None:
    """Return in what two texts differ, be it said in other words; None where no value tells them apart."""
    mine, theirs = core(text), core(other)
    if mine.negations % 2 != theirs.negations % 2:
        return NEGATION
    if {*mine.numbers} != {*theirs.numbers}:
        return ANOTHER_NUMBER
    (names, words), (other_names, other_words) = names_in(text), names_in(other)
    if names - other_words and other_names - words:
        return ANOTHER_NAME
    return None

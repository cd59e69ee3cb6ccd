"""Memories that are alike by their words: observations that say nearly the same, which are merged where
that is asked for; facts that say the same, or that a later one may have replaced, worded alike but for a
number, a name, a choice or a "not"; and in what two such texts differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import Literal

from ...curation.merging import MergePlan, described, united
from ...database.transaction import snapshot
from ...formats.common.report import Progress
from ...platform.clock import now_ms
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass
from ...records.kinds import ref
from ...records.rows import Fact, Observation
from ...search.listing.rows import by_ids, document_of
from ...search.related.meaning import StoreMeaning
from ...search.related.ranking import Parts, mix_meaning
from ...store import Store
from ...text.language.folding import words_of
from ...text.language.names import names_in
from ...text.language.same import CHINESE_NEGATIONS, NEGATIONS, Gist, gist, says_the_same, spelled_out
from ...text.language.sketches import SHORT, Neighbours, sketch

CLUSTER_SIMILARITY = 50.0
"""How alike, in %, two have to be letter by letter that say the same."""
COMPARED = 4_000
"""Words beyond so many characters of a text are not compared."""
AT_ONCE = 500
"""So many observations are read at once."""
TEXTS_HELD, GISTS_HELD = 4_096, 1_000
"""So many texts are held, and of so many what carries meaning, which of a Chinese one takes 25 KB."""


@dataclass(frozen=True, slots=True)
class Twin:
    """An observation that says nearly what another does: how alike they are, 0 to 100, and in what."""

    observation: Observation
    similarity: float
    why: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Observations of one project that say nearly the same: the one to keep, and the others."""

    keep: Observation
    twins: tuple[Twin, ...]


def clusters(
    store: Store,
    *,
    project: str | None = None,
    similarity: float = CLUSTER_SIMILARITY,
    progress: Progress | None = None,
) -> Iterator[Cluster]:
    """Yield the near-duplicates among the visible observations of each project, by project and time.

    Kept is the pinned one of a cluster, else the oldest; each of the others is not pinned, says the same
    (`text.language.same`), and is at least so similar to it (`rapidfuzz.fuzz.ratio` of their folded
    words). Of two that a person said are no duplicates only one is in a cluster. Nothing is changed.
    """
    parted = store.merging.merges.parted_ids("observations")
    total = store.observations.count_visible(project)
    done = 0
    numbers = store.observations.visible_by_project(project)
    texts = _Texts(store)
    for name, some in groupby(numbers, key=itemgetter(0)):
        finder = _ClusterFinder(store, similarity, parted, texts)
        while page := [number for _, number in islice(some, AT_ONCE)]:
            texts.read(page)
            for number in page:
                finder.take(number)
                done += 1
                if progress and done % 1_000 == 0:
                    progress(done, total, name)
        yield from finder.clusters()


def merge(store: Store, cluster: Cluster) -> Observation | None:
    """Make a cluster one, as `store.merge` does. None, and nothing is done, where one of them was
    changed or hidden meanwhile."""
    (done,) = merge_all(store, [cluster], described(_plan(cluster)))
    return done


def merge_all(store: Store, found: Iterable[Cluster], what: str) -> list[Observation | None]:
    """Make each of these clusters one, all as one undo; None for each that was changed meanwhile."""
    plans = [_plan(cluster) for cluster in found]
    done: list[Observation | None] = []
    for merged in store.merging.merge_all(plans, what):
        record = merged.record if merged else None
        assert record is None or isinstance(record, Observation)
        done.append(record)
    return done


def _plan(cluster: Cluster) -> MergePlan:
    others = tuple(twin.observation for twin in cluster.twins)
    fields = united("observation", cluster.keep, others)
    return MergePlan("observation", cluster.keep, others, fields)


class _ClusterFinder:
    """The clusters of one project. Of each text only its sketch is held."""

    def __init__(
        self, store: Store, similarity: float, parted: set[tuple[int, int]], texts: _Texts
    ) -> None:
        self.store = store
        self.similarity = similarity
        self.neighbours = Neighbours()
        self.members: dict[int, dict[int, float]] = {}
        """By the first one of each cluster the others, and how alike to it they are."""
        self.parted = parted
        self.begun = now_ms()
        self.texts = texts

    def take(self, number: int) -> None:
        """Put an observation to the first one that it is like, or let it begin a cluster."""
        from rapidfuzz.fuzz import ratio

        words = self.texts.words(number)
        if not words:
            return
        results = sketch(self.texts.sketched(number))
        for leader in self.neighbours.of(results):
            if self._is_same(leader, number):
                alike = ratio(words, self.texts.words(leader), score_cutoff=self.similarity)
                if alike:
                    self.members.setdefault(leader, {})[number] = alike
                    return
        self.neighbours.add(number, results)

    def _is_same(self, leader: int, number: int) -> bool:
        texts = self.texts
        return (
            texts.words(leader) == texts.words(number)
            or texts.gist(leader).says_the_same(texts.gist(number))
        ) and not self._is_parted(number, leader)

    def _is_parted(self, number: int, leader: int) -> bool:
        """Whether a person said that it is no duplicate of one of the cluster."""
        others = (leader, *self.members.get(leader, ())) if self.parted else ()
        return any((number, item) in self.parted for item in others)

    def clusters(self) -> Iterator[Cluster]:
        """Yield what was found, the records of some clusters read at once."""
        page: list[int] = []
        for leader, others in self.members.items():
            page += leader, *others
            if len(page) >= AT_ONCE:
                yield from self._clusters(page)
                page.clear()
        yield from self._clusters(page)

    def _clusters(self, numbers: Sequence[int]) -> Iterator[Cluster]:
        known = {observation.id: observation for observation in self.store.observations.by_ids(numbers)}
        for leader in filter(self.members.__contains__, numbers):
            observations = [known[number] for number in (leader, *self.members[leader]) if number in known]
            if not observations:
                continue
            keep = next((item for item in observations if item.pinned), observations[0])
            rest = (entry for entry in observations if entry.id != keep.id and not entry.pinned)
            if keep.id != leader:
                rest = (one for one in rest if self._is_same(keep.id, one.id))
            twins = [self._twin(keep, one, leader) for one in rest]
            near = tuple(twin for twin in twins if twin.similarity >= self.similarity)
            if near:
                yield Cluster(keep, near)

    def _twin(self, keep: Observation, observation: Observation, leader: int) -> Twin:
        is_as_read = max(keep.updated_at, observation.updated_at) < self.begun
        if keep.id == leader and is_as_read:
            alike = self.members[leader][observation.id]
        else:
            alike = self._compared(keep, observation)
        same = [name for name in ("title", "narrative", "text") if getattr(observation, name)]
        same = [name for name in same if getattr(observation, name) == getattr(keep, name)]
        why = (
            _("same {fields}", fields=_(" and ").join(map(_, same)))
            if same
            else N_("nearly the same words")
        )
        return Twin(observation, round(alike, 1), why)

    def _compared(self, keep: Observation, observation: Observation) -> float:
        from rapidfuzz.fuzz import ratio

        return ratio(self.texts.words(keep.id), self.texts.words(observation.id))


class _Texts:
    """The texts of observations, of a page that was read or of the memory, and what was made of them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.page: dict[int, str] = {}
        self._text = lru_cache(maxsize=TEXTS_HELD)(self._read)
        self.words = lru_cache(maxsize=TEXTS_HELD)(self._words)
        """Gives the folded words of one, parted by blanks."""
        self.gist = lru_cache(maxsize=GISTS_HELD)(self._gist)
        """Gives what of one carries meaning."""

    def read(self, numbers: Sequence[int]) -> None:
        """Read the texts of observations that are taken next."""
        self.page = self.store.observations.joined_texts(numbers, COMPARED)

    def sketched(self, number: int) -> list[str]:
        """Return what a text is sketched by: of a short one the words that carry meaning in the order of
        the alphabet, since a few words are soon put in another order."""
        words = self.words(number).split()
        if len(words) > SHORT or (own := self.gist(number)).runs:
            return words
        return sorted(own.words) or words

    def _words(self, number: int) -> str:
        return " ".join(words_of(self._text(number)))

    def _gist(self, number: int) -> Gist:
        return gist(self._text(number))

    def _read(self, number: int) -> str:
        text = self.page.get(number)
        if text is None:
            text = self.store.observations.joined_texts([number], COMPARED).get(number, "")
        return text


PAIR_SIMILARITY = 90.0
"""How alike, in %, two have to be but for what differs, of which the later may replace the earlier."""

LEAST_WORDS = 2
"""Words, not counting numbers, that a fact needs to be compared; fewer say too little."""


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
        finder = _PairFinder(parted)
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


class _PairFinder:
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
        least = 0.0 if is_same else PAIR_SIMILARITY
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
    nearest in meaning first."""
    words = [word for word in old.content.split() if len(word) >= LETTERS]
    quoted = [f'"{text}"' for word in words if (text := word.replace('"', ""))][:WORDS]
    listed = store.find(f"{HOLDING} {' OR '.join(quoted)}").page(limit=limit).hits if quoted else []
    hits = [hit for hit in listed if hit.row.record_id != old.id]
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    results: Parts = {
        hit.row.document_id: {"words": hit.score / best} for hit in hits if hit.row.record_id != old.id
    }
    with snapshot(store.db):
        _add_near(store, old, store.meaning(), results)
        likest = sorted(results, key=lambda number: (-sum(results[number].values()), -number))[:limit]
        rows = by_ids(store.db, likest)
        return store.facts.by_ids(rows[value].record_id for value in likest if value in rows)


def _add_near(store: Store, old: Fact, meaning: StoreMeaning, found: Parts) -> None:
    """Add how near others are to a fact in meaning, as a search does."""
    document = document_of(store.db, ref("fact", old.id))
    if document is not None:
        mix_meaning(found, meaning.near_document(store.db, document, [*found]))


Difference = Literal[
    "another number", "a negation", "another name", "another choice", "nearly the same words",
    "a later decision",
]  # fmt: skip
NEGATION: Difference = N_("a negation")
ANOTHER_NUMBER: Difference = N_("another number")
ANOTHER_NAME: Difference = N_("another name")
SAME: tuple[Difference, ...] = (N_("nearly the same words"),)
"""No difference that says another thing."""

DENIALS = NEGATIONS.union(CHINESE_NEGATIONS)
FILLERS = frozenset(("do", "does", "did", "longer", "any", "anymore", "more", "再"))
"""Auxiliary words beside a negation, which are left out with it."""

DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Core:
    """The words of a text without numbers and negations, and its numbers apart."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]


def core(text: str) -> Core:
    """Return the core of a text."""
    words = words_of(spelled_out(text))
    kept = (word for word in words if word not in DENIALS and word not in FILLERS)
    return Core(
        tuple("#" if DIGITS.search(word) else word for word in kept),
        tuple(number for word in words for number in DIGITS.findall(word)),
    )


def difference(text: str, other: str) -> Difference | None:
    """Return in what two texts differ, be it said in other words; None where no value tells them apart."""
    if gist(text).negations % 2 != gist(other).negations % 2:
        return NEGATION
    if {*core(text).numbers} != {*core(other).numbers}:
        return ANOTHER_NUMBER
    (names, words), (other_names, other_words) = names_in(text), names_in(other)
    if names - other_words and other_names - words:
        return ANOTHER_NAME
    return None

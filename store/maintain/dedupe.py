"""Find observations that say nearly the same, show them, and merge them where that is asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from zlib import crc32

from ..curation.merging import MergePlan, described, united
from ..records import Observation
from ..records.dataclasses import dataclass
from ..search.language.folding import fold
from ..store import Store

SKETCH = 10
SHARED = 2
"""So many hashes of two sketches have to be equal; of a text that has only one, that one."""

CROWD = 200
"""A hash of more texts than this says too little of any of them."""

SHORT = 16

_WORD = re.compile(r"[^\W_]+")
# No blanks part the words there: each character counts as one.
_SINGLE = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])")

SIMILARITY = 90.0
COMPARED = 4_000
"""Words beyond so many characters of a text are not compared."""

Progress = Callable[[int, int, str], None]


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded."""
    return _WORD.findall(_SINGLE.sub(r" \1 ", fold(text)))


def sketch(words: list[str]) -> tuple[int, ...]:
    """Return the sketch of a text: at most ten hashes; none where it has no word."""
    runs = {" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))}
    if len(words) <= SHORT:
        runs |= {" ".join(words[at : at + 2]) for at in range(max(1, len(words) - 1))}
    return tuple(sorted({crc32(run.encode()) for run in runs if run})[:SKETCH])


class Neighbours:
    """Sketches by what they hold: a few numbers for each text, whatever its length."""

    def __init__(self) -> None:
        self._by_hash: dict[int, list[int]] = {}

    def add(self, number: int, found: tuple[int, ...]) -> None:
        """Remember a text under its number."""
        for one in found:
            holders = self._by_hash.setdefault(one, [])
            if len(holders) <= CROWD:
                holders.append(number)

    def of(self, found: tuple[int, ...]) -> list[int]:
        """Return the texts that may be near one, the likeliest first, at most twenty."""
        shared: Counter[int] = Counter()
        for one in found:
            shared.update(self._by_hash.get(one, ()))
        wanted = min(SHARED, len(found))
        return [number for number, many in shared.most_common(20) if many >= wanted]


@dataclass(frozen=True, slots=True)
class Twin:
    """An observation that says nearly what another does: how alike they are, 0 to 100, and in what."""

    observation: Observation
    similarity: float
    why: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Observations of one project that say nearly the same: the one to keep, and the others; by their
    texts, or `is_in_other_words` by what these mean."""

    keep: Observation
    twins: tuple[Twin, ...]
    is_in_other_words: bool = False


def clusters(
    store: Store,
    *,
    project: str | None = None,
    similarity: float = SIMILARITY,
    progress: Progress | None = None,
) -> Iterator[Cluster]:
    """Yield the near-duplicates among the visible observations of each project, by project and time.

    Kept is the pinned one of a cluster, else the oldest; each of the others is not pinned, and at
    least so similar to it (`rapidfuzz.fuzz.ratio` of their folded words). Of two that a person said
    are no duplicates only one is in a cluster. Nothing is changed.
    """
    parted = store.merging.merges.parted_ids("observations")
    total = store.observations.count_visible(project)
    done = 0
    numbers = store.observations.visible_by_project(project)
    for name, some in groupby(numbers, key=itemgetter(0)):
        finder = _Finder(store, similarity, parted)
        for _, number in some:
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


class _Finder:
    """The clusters of one project. Of each text only its sketch is held."""

    def __init__(self, store: Store, similarity: float, parted: set[tuple[int, int]]) -> None:
        self.store = store
        self.similarity = similarity
        self.neighbours = Neighbours()
        self.members: dict[int, list[int]] = {}
        self.parted = parted
        self.text = lru_cache(maxsize=4_096)(self._text)

    def take(self, number: int) -> None:
        """Put an observation to the first one that it is like, or let it begin a cluster."""
        from rapidfuzz.fuzz import ratio

        words = self.text(number)
        if not words:
            return
        found = sketch(words.split())
        for leader in self.neighbours.of(found):
            if self._is_parted(number, leader):
                continue
            if ratio(words, self.text(leader), score_cutoff=self.similarity):
                self.members.setdefault(leader, []).append(number)
                return
        self.neighbours.add(number, found)

    def _is_parted(self, number: int, leader: int) -> bool:
        """Whether a person said that it is no duplicate of one of the cluster."""
        others = (leader, *self.members.get(leader, ()))
        return bool(self.parted) and any((number, one) in self.parted for one in others)

    def clusters(self) -> Iterator[Cluster]:
        for leader, others in self.members.items():
            found = self.store.observations.by_ids([leader, *others])
            keep = next((one for one in found if one.pinned), found[0])
            rest = (one for one in found if one.id != keep.id and not one.pinned)
            twins = [self._twin(keep, one) for one in rest]
            near = tuple(twin for twin in twins if twin.similarity >= self.similarity)
            if near:
                yield Cluster(keep, near)

    def _twin(self, keep: Observation, one: Observation) -> Twin:
        from rapidfuzz.fuzz import ratio

        alike = ratio(self.text(keep.id), self.text(one.id))
        same = [name for name in ("title", "narrative", "text") if getattr(one, name)]
        same = [name for name in same if getattr(one, name) == getattr(keep, name)]
        why = f"same {' and '.join(same)}" if same else "nearly the same words"
        return Twin(one, round(alike, 1), why)

    def _text(self, number: int) -> str:
        found = self.store.observations.joined_text(number, COMPARED)
        return " ".join(words_of(found))

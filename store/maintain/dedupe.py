"""Find observations that say nearly the same, show them, and merge them where that is asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from zlib import crc32

from ..clock import now_ms
from ..records import Observation
from ..records.dataclasses import dataclass
from ..search.folding import fold
from ..store import Store
from ..tables.base import write_list

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

LISTS = ("facts", "concepts", "files_read", "files_modified", "tags")
TEXTS = ("title", "subtitle", "narrative", "text", "tool_name")

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
    """Observations of one project that say nearly the same: the one to keep, and the others."""

    keep: Observation
    twins: tuple[Twin, ...]


def clusters(
    store: Store,
    *,
    project: str | None = None,
    similarity: float = SIMILARITY,
    progress: Progress | None = None,
) -> Iterator[Cluster]:
    """Yield the near-duplicates among the visible observations of each project, by project and time.

    Kept is the pinned one of a cluster, else the oldest; each of the others is not pinned, and at
    least so similar to it (`rapidfuzz.fuzz.ratio` of their folded words). Nothing is changed.
    """
    total = store.observations.count_visible(project)
    done = 0
    numbers = store.observations.visible_by_project(project)
    for name, some in groupby(numbers, key=itemgetter(0)):
        finder = _Finder(store, similarity)
        for _, number in some:
            finder.take(number)
            done += 1
            if progress and done % 1_000 == 0:
                progress(done, total, name)
        yield from finder.clusters()


def merge(store: Store, cluster: Cluster) -> Observation | None:
    """Make a cluster one: what is kept gains the others' list items, and the texts that it lacks; the
    others are deleted. One change of the journal, so `undo` takes it back. None, and nothing is
    done, where one of them was changed or hidden meanwhile."""
    with store.transaction():
        numbers = [cluster.keep.id, *(twin.observation.id for twin in cluster.twins)]
        found = store.observations.by_ids(numbers)
        if [one.hlc for one in found] != [
            cluster.keep.hlc, *(twin.observation.hlc for twin in cluster.twins)
        ]:  # fmt: skip
            return None
        kept, *others = found
        values = _united(kept, others)
        what = f"{len(others)} like observation {kept.id} merged into it"
        with store.observations.journal.recording(what):
            store.observations.write_columns([kept.id], values)
            store.observations.write_columns([one.id for one in others], {"deleted_at": now_ms()})
        return store.observations.get(kept.id)


class _Finder:
    """The clusters of one project. Of each text only its sketch is held."""

    def __init__(self, store: Store, similarity: float) -> None:
        self.store = store
        self.similarity = similarity
        self.neighbours = Neighbours()
        self.members: dict[int, list[int]] = {}
        self.text = lru_cache(maxsize=4_096)(self._text)

    def take(self, number: int) -> None:
        """Put an observation to the first one that it is like, or let it begin a cluster."""
        from rapidfuzz.fuzz import ratio

        words = self.text(number)
        if not words:
            return
        found = sketch(words.split())
        for leader in self.neighbours.of(found):
            if ratio(words, self.text(leader), score_cutoff=self.similarity):
                self.members.setdefault(leader, []).append(number)
                return
        self.neighbours.add(number, found)

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


def _united(kept: Observation, others: list[Observation]) -> dict[str, object]:
    """Return the columns of the one that is kept that the others change."""
    values: dict[str, object] = {}
    for name in LISTS:
        items = [item for one in (kept, *others) for item in getattr(one, name)]
        if (united := tuple(dict.fromkeys(items))) != getattr(kept, name):
            values[name] = write_list(united)
    for name in TEXTS:
        said = next((getattr(one, name) for one in others if getattr(one, name)), None)
        if said and not getattr(kept, name):
            values[name] = said
    return values

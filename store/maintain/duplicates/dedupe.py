"""Find observations that say nearly the same, show them, and merge them where that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter

from ...curation.merging import MergePlan, described, united
from ...formats.common.report import Progress
from ...platform.clock import now_ms
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass
from ...records.rows import Observation
from ...store import Store
from ...text.language.folding import words_of
from ...text.language.same import Gist, gist
from ...text.language.sketches import SHORT, Neighbours, sketch

SIMILARITY = 50.0
"""How alike, in %, two have to be letter by letter that say the same."""
COMPARED = 4_000
"""Words beyond so many characters of a text are not compared."""
AT_ONCE = 500
"""So many observations are read at once."""


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

    Kept is the pinned one of a cluster, else the oldest; each of the others is not pinned, says the same
    (`text.language.same`), and is at least so similar to it (`rapidfuzz.fuzz.ratio` of their folded
    words). Of two that a person said are no duplicates only one is in a cluster. Nothing is changed.
    """
    parted = store.merging.merges.parted_ids("observations")
    total = store.observations.count_visible(project)
    done = 0
    numbers = store.observations.visible_by_project(project)
    for name, some in groupby(numbers, key=itemgetter(0)):
        finder = _Finder(store, similarity, parted)
        while page := [number for _, number in islice(some, AT_ONCE)]:
            finder.read(page)
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


class _Finder:
    """The clusters of one project. Of each text only its sketch is held."""

    def __init__(self, store: Store, similarity: float, parted: set[tuple[int, int]]) -> None:
        self.store = store
        self.similarity = similarity
        self.neighbours = Neighbours()
        self.members: dict[int, dict[int, float]] = {}
        """By the first one of each cluster the others, and how alike to it they are."""
        self.parted = parted
        self.begun = now_ms()
        self.page: dict[int, str] = {}
        self.texts = _Texts(store, self.page)

    def read(self, numbers: Sequence[int]) -> None:
        """Read the texts of observations that are taken next."""
        self.page.clear()
        self.page.update(self.store.observations.joined_texts(numbers, COMPARED))

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

    def __init__(self, store: Store, page: Mapping[int, str]) -> None:
        self.store = store
        self.page = page
        self._text = lru_cache(maxsize=4_096)(self._read)
        self.words = lru_cache(maxsize=4_096)(self._words)
        """Gives the folded words of one, parted by blanks."""
        self.gist = lru_cache(maxsize=4_096)(self._gist)
        """Gives what of one carries meaning."""

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

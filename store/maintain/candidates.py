"""What the merge room offers: memories that may be one, and facts that may have been replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TypeVar

from ..curation.editing import AnyRecord
from ..curation.merging import preferred
from ..errors import NotFoundError
from ..kinds import kind_of, ref
from ..records import Fact
from ..records.dataclasses import dataclass, replace
from ..store import Store
from .dedupe import Cluster, clusters
from .other_words import clusters_in_other_words, fact_pairs_in_other_words
from .replacements import FactPair, fact_pairs

MOST = 1_000
"""So many are offered at most; more come when these are done with."""
MOST_FACTS = 500
"""So many of these are about facts, so that observations come too."""

Found = TypeVar("Found")
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Memories of one kind that may be one, by their refs, the one to keep first; or a fact, and a later
    one that may have replaced it. `why` says in words in what they are alike, `similarity` how much, 0
    to 100; `is_in_other_words`: by what they mean; `is_conflict`: they came of one memory, which was
    changed on two machines."""

    refs: tuple[str, ...]
    title: str
    project: str
    similarity: float
    why: str
    is_replacement: bool = False
    is_in_other_words: bool = False
    is_conflict: bool = False


def candidates(
    store: Store, of: str = "", *, progress: Progress | None = None
) -> Iterator[MergeCandidate]:
    """Yield what may be merged or superseded, at most `MOST`: what was changed on two machines, then facts
    by their words, then in other words, then observations likewise; with a ref, only what may be with this
    memory. Nothing is changed. What `progress` raises ends it."""
    changed = [*conflicts(store)]
    pairs = {frozenset(item.refs) for item in changed}
    alike = (item for item in _all(store, progress) if frozenset(item.refs) not in pairs)
    found = (item for item in chain(changed, alike) if not of or of in item.refs)
    yield from islice(found, MOST)


def conflicts(store: Store) -> Iterator[MergeCandidate]:
    """Yield the memories whose texts were changed on two machines, each with the version that lost."""
    for refs in store.merging.merges.conflicts():
        records = [store.find(text) for text in refs]
        found = _candidate(records, 100, "changed on two machines", is_in_other_words=False)
        yield replace(found, is_conflict=True)


def is_open(store: Store, refs: Iterable[str]) -> bool:
    """Return whether memories can still be merged, or superseded: all are there and hold, and nobody
    told two of them apart."""
    try:
        results = [store.find(text) for text in refs]
    except NotFoundError:
        return False
    if any(not item.is_visible or getattr(item, "superseded_by", None) for item in results):
        return False
    return not store.merging.merges.parted([entry.uid for entry in results])


def _all(store: Store, progress: Progress | None) -> Iterator[MergeCandidate]:
    by_text: list[FactPair] = []
    yield from _of_facts(_noted(fact_pairs(store, progress=progress), by_text), MOST_FACTS)
    reworded = fact_pairs_in_other_words(store, by_text, progress=progress)
    yield from _of_facts(reworded.found, MOST_FACTS - len(by_text))
    results: list[Cluster] = []
    for cluster in _noted(clusters(store, progress=progress), results):
        yield _of_cluster(cluster)
    for cluster in clusters_in_other_words(store, results, progress=progress).found:
        yield _of_cluster(cluster)


def _noted(some: Iterable[Found], noted: list[Found]) -> Iterator[Found]:
    """Yield some, each noted before."""
    for item in some:
        noted.append(item)
        yield item


def _of_facts(some: Iterable[FactPair], most: int) -> Iterator[MergeCandidate]:
    same: dict[int, list[FactPair]] = {}
    """The pairs that say nearly the same, by the first of those that they are chained to."""
    first: dict[int, int] = {}
    for pair in islice(some, max(0, most)):
        if pair.is_replacement:
            facts = (pair.earlier, pair.later)
            yield _candidate(
                facts, pair.similarity, pair.difference, pair.is_in_other_words, is_replacement=True
            )
        else:
            leader = first.setdefault(pair.later.id, first.get(pair.earlier.id, pair.earlier.id))
            same.setdefault(leader, []).append(pair)
    for pairs in same.values():
        records = dict.fromkeys(fact for pair in pairs for fact in (pair.earlier, pair.later))
        kept = preferred([*records])
        others = [record for record in records if record is not kept]
        alike, (fact_pair, *_) = min(pair.similarity for pair in pairs), pairs
        yield _candidate((kept, *others), alike, fact_pair.difference, fact_pair.is_in_other_words)


def _of_cluster(cluster: Cluster) -> MergeCandidate:
    alike = min(twin.similarity for twin in cluster.twins)
    observations = (cluster.keep, *(twin.observation for twin in cluster.twins))
    return _candidate(observations, alike, cluster.twins[0].why, cluster.is_in_other_words)


def _candidate(
    records: Sequence[AnyRecord],
    similarity: float,
    why: str,
    is_in_other_words: bool,
    *,
    is_replacement: bool = False,
) -> MergeCandidate:
    kept = records[0]
    kind = kind_of(kept)
    title = kept.content if isinstance(kept, Fact) else getattr(kept, "title", None)
    refs = tuple(ref(kind, record.id) for record in records)
    project = getattr(kept, "project", "")
    return MergeCandidate(
        refs, title or "", project, similarity, why, is_replacement, is_in_other_words
    )

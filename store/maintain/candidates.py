"""What the merge room offers: memories that may be one, and facts that may have been replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from ..curation.editing import AnyRecord
from ..curation.merging import preferred
from ..errors import NotFoundError
from ..kinds import ref
from ..records import Fact
from ..records.dataclasses import dataclass
from ..store import Store
from .dedupe import clusters
from .replacements import FactPair, fact_pairs

MOST = 1_000
"""So many are offered at most; more come when these are done with."""
MOST_FACTS = 500
"""So many of these are about facts, so that observations come too."""

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Memories of one kind that may be one, by their refs, the one to keep first; or a fact, and a later
    one that may have replaced it. `why` says in words in what they are alike, `similarity` how much, 0
    to 100."""

    refs: tuple[str, ...]
    title: str
    project: str
    similarity: float
    why: str
    is_replacement: bool = False


def candidates(store: Store, *, progress: Progress | None = None) -> Iterator[MergeCandidate]:
    """Yield what may be merged or superseded, facts first, at most `MOST`; nothing is changed. What
    `progress` raises ends it."""
    yield from islice(_all(store, progress), MOST)


def is_open(store: Store, refs: Iterable[str]) -> bool:
    """Return whether memories can still be merged, or superseded: all are there and hold, and nobody
    told two of them apart."""
    try:
        found = [store.find(one) for one in refs]
    except NotFoundError:
        return False
    if any(not one.is_visible or getattr(one, "superseded_by", None) for one in found):
        return False
    return not store.merging.merges.parted([one.uid for one in found])


def _all(store: Store, progress: Progress | None) -> Iterator[MergeCandidate]:
    same: dict[int, list[FactPair]] = {}
    """The pairs that say nearly the same, by the first of those that they are chained to."""
    first: dict[int, int] = {}
    for pair in islice(fact_pairs(store, progress=progress), MOST_FACTS):
        if pair.is_replacement:
            yield _candidate((pair.earlier, pair.later), pair.similarity, pair.difference, True)
        else:
            leader = first.setdefault(pair.later.id, first.get(pair.earlier.id, pair.earlier.id))
            same.setdefault(leader, []).append(pair)
    for pairs in same.values():
        records = dict.fromkeys(fact for pair in pairs for fact in (pair.earlier, pair.later))
        kept = preferred([*records])
        others = [one for one in records if one is not kept]
        yield _candidate((kept, *others), min(one.similarity for one in pairs), pairs[0].difference)
    for cluster in clusters(store, progress=progress):
        alike = min(twin.similarity for twin in cluster.twins)
        found = (cluster.keep, *(twin.observation for twin in cluster.twins))
        yield _candidate(found, alike, cluster.twins[0].why)


def _candidate(
    records: Sequence[AnyRecord], similarity: float, why: str, is_replacement: bool = False
) -> MergeCandidate:
    kept = records[0]
    kind = type(kept).__name__.lower()
    title = kept.content if isinstance(kept, Fact) else getattr(kept, "title", None)
    refs = tuple(ref(kind, one.id) for one in records)
    project = getattr(kept, "project", "")
    return MergeCandidate(refs, title or "", project, similarity, why, is_replacement)

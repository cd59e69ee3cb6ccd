"""What the merge room offers: memories that may be one, and facts that may have been replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Any

from ...curation.editing import AnyRecord
from ...curation.merging import preferred
from ...formats.common.report import Progress
from ...formats.common.second_process import working_ahead
from ...platform.clock import now_ms
from ...platform.errors import NotFoundError
from ...platform.translation import N_
from ...records.dataclasses import dataclass, replace
from ...records.kinds import TABLES, kind_of, parse_ref, ref
from ...records.rows import Fact
from ...store import Store
from ...tables.merges import KeptCandidates, keep_candidates, kept_candidates
from .alike import Cluster, FactPair, clusters, fact_pairs

MOST = 1_000
"""So many are offered at most; more come when these are done with."""
MOST_FACTS = 500
"""So many of these are about facts, so that observations come too."""

MUCH = 5_000
"""From so many memories on that are to be looked through a second process does it."""


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Memories of one kind that may be one, by their refs, the one to keep first; or a fact, and a later
    one that may have replaced it. `why` says in words in what they are alike, `similarity` how much, 0
    to 100; `is_conflict`: they came of one memory, which was changed on two machines."""

    refs: tuple[str, ...]
    title: str
    project: str
    similarity: float
    why: str
    is_replacement: bool = False
    is_conflict: bool = False

    @property
    def ids(self) -> tuple[str, list[int]]:
        """The kind of its memories, and their ids."""
        named = [parsed for parsed in map(parse_ref, self.refs) if parsed is not None]
        return named[0][0], [number for _, number in named]


def candidates(store: Store, of: str = "", *, progress: Progress | None = None) -> Iterator[MergeCandidate]:
    """Yield what may be merged or superseded, at most `MOST`; with a ref, what may be with this memory.

    What was changed on two machines comes first, then what was found before and stands, then what
    projects hold in which anything changed since, facts before observations. What `progress` raises ends
    it. Of the memory nothing is changed.
    """
    changed = [*conflicts(store)]
    pairs = {frozenset(item.refs) for item in changed}
    alike = (item for item in _all(store, progress) if frozenset(item.refs) not in pairs)
    offered = 0
    for item in chain(changed, alike):
        # All is looked through all the same, so that it can be kept.
        if offered < MOST and (not of or of in item.refs):
            offered += 1
            yield item


def candidates_beside(store: Store, of: str = "", *, progress: Progress) -> Iterator[MergeCandidate]:
    """Like `candidates`, for who stays: where much is to be looked through, a second process does it. Of
    100,000 memories that takes some fifteen seconds, in which keys would have to wait."""
    kept = kept_candidates(store.db, now_ms())
    new = len(kept.changed) if kept.found is not None else kept.mark["observation"] + kept.mark["fact"]
    if new < MUCH:
        yield from candidates(store, of, progress=progress)
        return
    here = partial(candidates, store, of, progress=progress)
    arguments = store.path, store.read_only, of
    with working_ahead(here, _candidates_in, *arguments, progress=progress) as items:
        yield from items


def _candidates_in(path: Path, read_only: bool, of: str, *, progress: Progress) -> Iterator[MergeCandidate]:
    with Store.open(path, read_only=read_only) as store:
        yield from candidates(store, of, progress=progress)


def conflicts(store: Store) -> Iterator[MergeCandidate]:
    """Yield the memories whose texts were changed on two machines, each with the version that lost."""
    for refs in store.merging.merges.conflicts():
        records = [store.any_record(text) for text in refs]
        why = N_("changed on two machines")
        candidate = _candidate(records, 100, why)
        yield replace(candidate, is_conflict=True)


def is_open(store: Store, refs: Iterable[str]) -> bool:
    """Return whether memories can still be merged, or superseded: all are there and hold, and nobody
    told two of them apart."""
    try:
        results = [store.any_record(text) for text in refs]
    except NotFoundError:
        return False
    if not all(map(_holds, results)):
        return False
    return not store.merging.merges.parted([entry.uid for entry in results])


def _all(store: Store, progress: Progress | None) -> Iterator[MergeCandidate]:
    kept = kept_candidates(store.db, now_ms())
    standing, changed_in = _standing(store, kept)
    parted = {kind: store.merging.merges.parted_ids(TABLES[kind]) for kind in ("fact", "observation")}
    yield from (item for item in standing if not _is_parted(item, parted))
    known = {item.refs for item in standing}
    by_text = [item for item in standing if item.project not in changed_in]

    def fresh(some: Iterable[MergeCandidate]) -> Iterator[MergeCandidate]:
        for item in some:
            by_text.append(item)
            if item.refs not in known:
                yield item

    scopes = [None] if kept.found is None else sorted(changed_in)
    if progress and scopes:
        # Whoever shows what is found shows these at once.
        progress(0, len(scopes), "")
    for project in scopes:
        room = MOST_FACTS - len(_ids(by_text, "fact"))
        yield from fresh(_of_facts(fact_pairs(store, project=project, progress=progress), room))
    for project in scopes:
        yield from fresh(map(_of_cluster, clusters(store, project=project, progress=progress)))
    if scopes:
        by_text.sort(key=lambda item: item.ids[0])
        keep_candidates(
            store.db,
            kept.mark,
            [(one.refs, one.similarity, one.why, one.is_replacement) for one in by_text],
        )


def _standing(store: Store, kept: KeptCandidates) -> tuple[list[MergeCandidate], set[str]]:
    """Return what is kept and stands as it was, and the projects in which anything changed."""
    records: dict[str, Any] = {}
    items = [MergeCandidate(tuple(refs), "", "", *rest) for refs, *rest in kept.found or ()]
    for kind, table in (("fact", store.facts), ("observation", store.observations)):
        numbers = [number for item in items if item.ids[0] == kind for number in item.ids[1]]
        records |= {ref(kind, record.id): record for record in table.by_ids(numbers)}
    standing: list[MergeCandidate] = []
    changed_in = set(kept.changed.values())
    for item in items:
        some = [records.get(name) for name in item.refs]
        holding = [
            record
            for record in some
            if record is not None and _holds(record) and record.updated_at < kept.at
        ]
        if len(holding) < len(some):
            changed_in.update(record.project for record in holding)
        elif kept.changed.keys().isdisjoint(item.refs):
            first = holding[0]
            title = first.content if isinstance(first, Fact) else first.title
            standing.append(replace(item, title=title or "", project=first.project))
    return standing, changed_in


def _is_parted(item: MergeCandidate, parted: Mapping[str, set[tuple[int, int]]]) -> bool:
    """Return whether a person told two of a candidate's memories apart: it is kept, since that may be
    undone."""
    kind, numbers = item.ids
    return any(pair in parted[kind] for pair in combinations(numbers, 2))


def _holds(record: AnyRecord) -> bool:
    return record.is_visible and not getattr(record, "superseded_by", None)


def _ids(items: Iterable[MergeCandidate], kind: str) -> list[int]:
    """The ids of all but the first of each of some candidates, of those of a kind."""
    return [number for item in items if item.ids[0] == kind for number in item.ids[1][1:]]


def _of_facts(some: Iterable[FactPair], most: int) -> Iterator[MergeCandidate]:
    same: dict[int, list[FactPair]] = {}
    """The pairs that say nearly the same, by the first of those that they are chained to."""
    first: dict[int, int] = {}
    for pair in islice(some, max(0, most)):
        if pair.is_replacement:
            facts = (pair.earlier, pair.later)
            yield _candidate(facts, pair.similarity, pair.difference, is_replacement=True)
        else:
            leader = first.setdefault(pair.later.id, first.get(pair.earlier.id, pair.earlier.id))
            same.setdefault(leader, []).append(pair)
    for pairs in same.values():
        records = dict.fromkeys(fact for pair in pairs for fact in (pair.earlier, pair.later))
        kept = preferred([*records])
        others = [record for record in records if record is not kept]
        alike, (fact_pair, *_) = min(pair.similarity for pair in pairs), pairs
        yield _candidate((kept, *others), alike, fact_pair.difference)


def _of_cluster(cluster: Cluster) -> MergeCandidate:
    alike = min(twin.similarity for twin in cluster.twins)
    observations = (cluster.keep, *(twin.observation for twin in cluster.twins))
    return _candidate(observations, alike, cluster.twins[0].why)


def _candidate(
    records: Sequence[AnyRecord],
    similarity: float,
    why: str,
    *,
    is_replacement: bool = False,
) -> MergeCandidate:
    kept = records[0]
    kind = kind_of(kept)
    title = kept.content if isinstance(kept, Fact) else getattr(kept, "title", getattr(kept, "path", None))
    refs = tuple(ref(kind, record.id) for record in records)
    project = getattr(kept, "project", "")
    return MergeCandidate(refs, title or "", project, similarity, why, is_replacement)

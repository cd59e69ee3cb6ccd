"""Memories that say the same in other words, and facts that a later one may have replaced in other words:
by their vectors, where a model makes some. None where none are kept, or the model knows too little."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Generic, TypeVar

from ...formats.common.report import Progress
from ...platform.translation import N_
from ...records.dataclasses import dataclass
from ...records.fields import files_of, filled_fields
from ...records.kinds import LETTERS
from ...records.rows import Fact, Observation
from ...search.related.meaning import NearPair, NearPairs
from ...store import Store
from ...text.language.scripts import script_of
from .alike import Cluster, FactPair, Twin, difference, name_the_same

Found = TypeVar("Found")
LEAST_TRUST = 0.5
"""A model that knows less of a language says nothing of what is the same in it."""
MOST = 5_000
"""So many of the nearest pairs are looked at."""
WHY = N_("says the same in other words")


@dataclass(frozen=True, slots=True)
class InOtherWords(Generic[Found]):
    """What was found, or in a sentence why nothing could be."""

    found: tuple[Found, ...] = ()
    trouble: str = ""


def clusters_in_other_words(
    store: Store,
    without: Collection[int] = (),
    *,
    project: str | None = None,
    progress: Progress | None = None,
) -> InOtherWords[Cluster]:
    """Return clusters of observations that say the same in other words, the likest first, `without` those
    that are twins by their texts, by their ids. Each of the others is near to the one to keep. Nothing is
    changed."""
    near = _near(store, "observation", project, progress)
    finder = _Finder(store, near, without)
    return InOtherWords(tuple(finder.clusters()), near.trouble)


def fact_pairs_in_other_words(
    store: Store,
    without: Collection[int] = (),
    *,
    project: str | None = None,
    progress: Progress | None = None,
) -> InOtherWords[FactPair]:
    """Return the pairs of facts that hold which say the same in other words, or would but for a number, a
    "not" or a name, the likest first; of each later fact one, `without` those that are paired by their
    texts, by their ids."""
    near = _near(store, "fact", project, progress)
    parted = store.merging.merges.parted_ids("facts")
    paired = {*without}
    facts = {fact.id: fact for fact in store.facts.by_ids(_numbers(near.pairs[:MOST]))}
    pairs: list[FactPair] = []
    for pair in near.pairs[:MOST]:
        earlier, later = facts.get(pair.earlier), facts.get(pair.later)
        if earlier is None or later is None or later.id in paired or (earlier.id, later.id) in parted:
            continue
        if _is_pair(near, earlier, later):
            paired.add(later.id)
            content = difference(earlier.content, later.content) or "in other words"
            pairs.append(FactPair(earlier, later, _percent(pair), content, is_in_other_words=True))
    return InOtherWords(tuple(pairs), near.trouble)


def _is_pair(near: NearPairs, earlier: Fact, later: Fact) -> bool:
    holds = all(fact.is_visible and fact.superseded_by is None for fact in (earlier, later))
    is_alike = earlier.kind == later.kind and name_the_same(earlier, later)
    return holds and is_alike and _knows(near, later.content)


class _Finder:
    """Observations that say the same in other words, the nearest put together first."""

    def __init__(self, store: Store, near: NearPairs, twins: Collection[int]) -> None:
        self.near = near
        self.parted = store.merging.merges.parted_ids("observations")
        self.cosines: dict[tuple[int, int], NearPair] = {}
        """The pairs that say the same, both ways round."""
        some = [
            near_pair
            for near_pair in near.pairs[:MOST]
            if near_pair.earlier not in twins and near_pair.later not in twins
        ]
        self.observations = {
            observation.id: observation for observation in store.observations.by_ids(_numbers(some))
        }
        self.pairs = [pair for pair in some if self._is_same(pair.earlier, pair.later)]
        for pair in self.pairs:
            self.cosines[pair.earlier, pair.later] = self.cosines[pair.later, pair.earlier] = pair

    def clusters(self) -> Iterator[Cluster]:
        leader_of: dict[int, int] = {}
        members: dict[int, list[int]] = {}
        for pair in self.pairs:
            leader = leader_of.get(pair.earlier, pair.earlier)
            others = members.get(leader, [])
            if (
                pair.later not in leader_of
                and pair.later not in members
                and all((pair.later, number) in self.cosines for number in (leader, *others))
            ):
                members.setdefault(leader, []).append(pair.later)
                leader_of[pair.later] = leader
        for leader, others in members.items():
            observations = [self.observations[value] for value in (leader, *others)]
            keep = next(
                (observation for observation in observations if observation.pinned), observations[0]
            )
            near = tuple(
                Twin(item, _percent(self.cosines[keep.id, item.id]), WHY)
                for item in observations
                if item is not keep and not item.pinned
            )
            if near:
                yield Cluster(keep, near, is_in_other_words=True)

    def _is_same(self, earlier: int, later: int) -> bool:
        observation, other = self.observations.get(earlier), self.observations.get(later)
        if observation is None or other is None or not (observation.is_visible and other.is_visible):
            return False
        if (earlier, later) in self.parted or _differ_in_files(observation, other):
            return False
        mine, theirs = _said(observation), _said(other)
        return _knows(self.near, theirs) and difference(mine, theirs) is None


def _near(store: Store, kind: str, project: str | None, progress: Progress | None) -> NearPairs:
    return store.meaning().near_pairs(store.db, LETTERS[kind], project, progress)


def _knows(near: NearPairs, text: str) -> bool:
    return near.trust.get(script_of(text), 1.0) >= LEAST_TRUST


def _numbers(pairs: Iterable[NearPair]) -> list[int]:
    return [*dict.fromkeys(number for pair in pairs for number in (pair.earlier, pair.later))]


def _percent(pair: NearPair) -> float:
    return round(100 * pair.cosine, 1)


def _said(observation: Observation) -> str:
    texts = (value for field, value in filled_fields(observation) if field.says)
    return "\n".join(text if isinstance(text, str) else "\n".join(text) for text in texts)


def _differ_in_files(observation: Observation, other: Observation) -> bool:
    """Whether both name files, and each such as the other doesn't."""
    mine, theirs = (
        {name.rpartition("/")[2] for files in files_of(some) for name in files}
        for some in (observation, other)
    )
    return bool(mine - theirs and theirs - mine)

"""How sure a fact is, made of everyone who told it. The rule is told in docs/facts.md."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Protocol

MOST = 0.99
"""What several who agree can come to, unless one of them was surer."""

DIGITS = 6


class Telling(Protocol):
    """What the rule looks at of one who told a fact; `source` is the memory it came from."""

    @property
    def confidence(self) -> float:
        """0 to 1."""
        ...

    @property
    def witnesses(self) -> tuple[str, ...]:
        """What it rests on."""
        ...

    @property
    def source(self) -> str: ...

    @property
    def native_id(self) -> str: ...

    @property
    def told_at(self) -> int: ...

    @property
    def is_verdict(self) -> bool: ...


def confidence(tellings: Collection[Telling]) -> float:
    """Noisy-or: one minus the product of the doubts that each witness leaves, at most `MOST` or what
    the surest one told. The order of the tellings makes no difference, nor does one told again.

    A telling's doubt is shared by the witnesses it rests on, and of a witness that several
    tellings name the least doubt counts. Where a memory gives a verdict on a fact, its newest
    one is how sure each of its witnesses is.
    """
    if not tellings:
        return 0.0
    verdicts = _verdicts(tellings)
    doubts: dict[str, float] = {}
    surest = 0.0
    for telling in tellings:
        verdict = verdicts.get(telling.source)
        sure = telling.confidence if verdict is None else verdict.confidence
        surest = max(surest, sure)
        if telling.is_verdict and not telling.witnesses:
            continue
        names = set(telling.witnesses) or {f"{telling.source} {telling.native_id}"}
        doubt = (1 - sure) ** (1 / len(names)) if verdict is None else 1 - sure
        for name in names:
            doubts[name] = min(doubts.get(name, 1.0), doubt)
    agreed = 1 - math.prod(sorted(doubts.values()))
    return round(max(surest, min(agreed, MOST)), DIGITS)


def _verdicts(tellings: Collection[Telling]) -> dict[str, Telling]:
    """The newest verdict of each memory."""
    found: dict[str, Telling] = {}
    for telling in sorted(tellings, key=lambda one: (one.told_at, one.confidence)):
        if telling.is_verdict:
            found[telling.source] = telling
    return found

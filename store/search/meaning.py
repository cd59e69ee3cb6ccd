"""Hits by meaning, as a search asks for them: of whoever keeps vectors, if anybody does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import apsw

from ..records.dataclasses import dataclass, field
from .filters import Where


@dataclass(frozen=True, slots=True)
class Near:
    """Documents by id with their cosine, the nearest first; and the mean and the spread (standard
    deviation) of all vectors' cosines, which say how much one of these is worth. `trouble` says in a
    sentence why there are none; `is_late`: there may be some before long."""

    cosines: Mapping[int, float] = field(default_factory=dict)
    mean: float = 0.0
    spread: float = 0.0
    trouble: str = ""
    is_late: bool = False


class Meaning(Protocol):
    """What finds documents by what a text means. Raises nothing: `Near.trouble` says what is wrong."""

    def near_text(
        self, db: apsw.Connection, text: str, where: Where, limit: int, among: list[int]
    ) -> Near:
        """Return the nearest documents that pass the filters, and with them those `among` which there is
        a choice already."""
        ...

    def near_document(self, db: apsw.Connection, document: int, where: Where, limit: int) -> Near:
        """Return the documents nearest to another one, which isn't among them."""
        ...

"""Who told a fact: each line, command or memory that says the same statement, once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from typing import Any

import apsw

from .confidence import confidence
from .records import Fact
from .rows import Values, columns, read_list, to_record, write_list
from .unit import telling_errors

HERE = ""
"""The `source` of what was told to this store itself."""

LISTS = ("entities", "evidence", "places", "witnesses")


@dataclass(frozen=True, slots=True)
class FactSource:
    """One telling of a fact. `source` and `native_id` say which; `told_at` is when, ms since the
    epoch, UTC; `places` are where, as people read it; `session` is the content id of the session
    it was told in. See `store.confidence` for `witnesses` and `is_verdict`."""

    uid: str
    source: str
    native_id: str
    told_at: int
    confidence: float
    entities: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    is_verdict: bool = False
    session: str | None = None
    deleted_at: int | None = None
    vanished_at: int | None = None
    extra: str | None = None


COLUMNS = columns(FactSource)
NAMES = [field.name for field in fields(FactSource)]
PUT = f"""
INSERT INTO fact_sources (fact_id, {COLUMNS})
VALUES (:fact_id, {", ".join(f":{name}" for name in NAMES)})
ON CONFLICT (fact_id, source, native_id) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in NAMES if name != "uid")}
"""


class FactSources:
    """The fact_sources table; always inside a unit of work of the facts'."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def of(self, fact_id: int) -> list[FactSource]:
        """All that told a fact, by time. One whose row stands alone is told by itself."""
        return self.where("fact_id = ? ORDER BY told_at, source, native_id", fact_id)

    def where(self, condition: str, *values: Any) -> list[FactSource]:
        """Those that meet a constant SQL condition."""
        sql = f"SELECT {COLUMNS} FROM fact_sources WHERE {condition}"
        with telling_errors(self.db, writing=False):
            return [to_record(FactSource, row) for row in self.db.execute(sql, values)]

    def fact_of(self, source: str, native_id: str) -> int | None:
        """The number of the fact that this telling was of; None when it is new."""
        found: int | None = self.db.execute(
            "SELECT fact_id FROM fact_sources WHERE source = ? AND native_id = ? LIMIT 1",
            (source, native_id),
        ).get
        return found

    def put(self, fact_id: int, told: FactSource) -> None:
        """Keep a telling, in place of what the same source told there before."""
        values: Values = asdict(told) | {"fact_id": fact_id}
        values |= {name: dumped(values[name]) for name in LISTS}
        self.db.execute(PUT, values)

    def remove(self, fact_id: int, told: FactSource) -> None:
        """Forget a telling: its source says something else now."""
        self.db.execute(
            "DELETE FROM fact_sources WHERE fact_id = ? AND source = ? AND native_id = ?",
            (fact_id, told.source, told.native_id),
        )


def told_here(fact: Fact) -> FactSource:
    """The telling that a fact without any stands for: its own."""
    return said(
        fact.uid,
        at=fact.created_at,
        confidence=fact.confidence,
        entities=fact.entities,
        evidence=fact.evidence,
        places=fact.sources,
        extra=fact.extra,
    )


def said(
    fact_uid: str,
    *,
    at: int,
    confidence: float,
    entities: Iterable[str],
    evidence: Iterable[str],
    places: Iterable[str],
    extra: str | None = None,
) -> FactSource:
    """What was told to this store itself; the same evidence and places again are the same telling."""
    named, rests_on, at_places = _scrubbed(entities), _scrubbed(evidence), _scrubbed(places)
    shown, where = tuple(sorted(set(rests_on))), tuple(sorted(set(at_places)))
    native_id = digest(*shown, "", *where) if shown or where else "said"
    return FactSource(
        uid=uid_of(fact_uid, native_id),
        source=HERE,
        native_id=native_id,
        told_at=at,
        confidence=confidence,
        entities=named,
        evidence=rests_on,
        places=at_places,
        witnesses=(*shown, *where),
        extra=extra,
    )


def same_again(known: FactSource, told: FactSource) -> FactSource:
    """What is known of a telling after it was told here again: the surer and the earlier counts."""
    return replace(
        known,
        confidence=max(known.confidence, told.confidence),
        told_at=min(known.told_at, told.told_at),
        entities=tuple(dict.fromkeys(known.entities + told.entities)),
        extra=known.extra or told.extra,
    )


def derived(tellings: Iterable[FactSource]) -> Values:
    """What all tellings of a fact make of it, by its columns; deleted only when all of them are."""
    everything = list(tellings)
    living = [one for one in everything if one.deleted_at is None] or everything
    ordered = sorted(living, key=lambda one: (not one.is_verdict, one.told_at, one.native_id))
    lists = {
        "entities": [item for one in ordered for item in one.entities],
        "evidence": [item for one in ordered for item in one.evidence],
        "sources": [item for one in ordered for item in one.places],
    }
    is_gone = all(one.deleted_at is not None for one in everything)
    return {
        **{name: dumped(dict.fromkeys(items)) for name, items in lists.items()},
        "confidence": confidence(living),
        "extra": _merged([one.extra for one in ordered if one.extra]),
        "created_at": ordered[0].told_at,
        "deleted_at": max(one.deleted_at or 0 for one in everything) if is_gone else None,
    }


def _scrubbed(items: Iterable[str]) -> tuple[str, ...]:
    return read_list(write_list(items))


def dumped(items: Iterable[str]) -> str:
    """A list, which is scrubbed already, as its column holds it."""
    return json.dumps(list(items), ensure_ascii=False)


def _merged(extras: list[str]) -> str | None:
    """One JSON object of several: of a key that several have, the first counts."""
    if len(set(extras)) < 2:
        return extras[0] if extras else None
    found: dict[str, object] = {}
    for extra in reversed(extras):
        one = json.loads(extra)
        found |= one if isinstance(one, dict) else {}
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


def uid_of(*parts: str) -> str:
    """A uid that is the same wherever and whenever it is made of the same parts (a UUID, version 8)."""
    value = int(digest(*parts), 16)
    value = value & ~(0xF << 76) | 0x8 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def digest(*parts: str) -> str:
    """32 hex digits that stand for these texts in this order."""
    return blake2b("\0".join(parts).encode(errors="replace"), digest_size=16).hexdigest()

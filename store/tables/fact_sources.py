"""The assertions of a fact: who stated it, each source once, and how sure all of them together
make it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable
from typing import Any

import apsw

from ..database.transaction import translate_errors
from ..platform.clock import now_ms, uuid7
from ..platform.translation import N_
from ..records.dataclasses import annotations_of, replace
from ..records.rows import Fact, FactSource, Session, Speaker
from .base import (
    Values,
    columns,
    digest,
    read_object,
    stable_uid,
    to_record,
    write_list,
)
from .lists import read_list

LOCAL = ""
"""The `source` of what was asserted in this store itself."""

SPEAKER = "speaker"
"""The key of `extra` that says who made an assertion."""
SPEAKERS = ("user", "assistant")
"""Whose word counts more comes first."""

PROPOSED = "proposed"
"""The key of `extra` of what an agent proposed and its user took."""
AGREED = "agreed"
TAKERS = {
    "user": N_("the user"),
    AGREED: N_("the user, as the agent proposed"),
    "assistant": N_("an agent"),
}
"""Who took a decision, in words."""

LISTS = ("entities", "evidence", "places", "witnesses")


COLUMNS = columns(FactSource)
NAMES = [*annotations_of(FactSource)]
UPSERT = f"""
INSERT INTO fact_sources (fact_id, {COLUMNS})
VALUES (:fact_id, {", ".join(f":{name}" for name in NAMES)})
ON CONFLICT (fact_id, source, native_id) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in NAMES if name != "uid")}
"""

IS_ANOTHERS = (
    "SELECT EXISTS (SELECT 1 FROM fact_sources WHERE uid = :uid "
    "AND (fact_id, source, native_id) <> (:fact_id, :source, :native_id))"
)

MOST_CONFIDENCE = 0.99
"""What several who agree can come to, unless one of them was surer."""

CONFIDENCE_DIGITS = 6


class FactSources:
    """The fact_sources table; always inside a transaction of the facts'."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def of(self, fact_id: int) -> list[FactSource]:
        """Return the stored assertions of a fact, the earliest first; none where its row stands alone."""
        return self.where("fact_id = ? ORDER BY told_at, source, native_id", fact_id)

    def where(self, condition: str, *values: Any) -> list[FactSource]:
        """Return the assertions that meet a constant SQL condition."""
        sql = f"SELECT {COLUMNS} FROM fact_sources WHERE {condition}"
        with translate_errors(self.db, writing=False):
            return [to_record(FactSource, row) for row in self.db.execute(sql, values)]

    def fact_of(self, source: str, native_id: str) -> int | None:
        """Return the id of the fact that a source asserted under this native id; None when it is new."""
        result: int | None = self.db.execute(
            "SELECT fact_id FROM fact_sources WHERE source = ? AND native_id = ? LIMIT 1",
            (source, native_id),
        ).get
        return result

    def upsert(self, fact_id: int, assertion: FactSource) -> None:
        """Store an assertion of a fact, in place of what the same source asserted there before."""
        values: Values = {name: getattr(assertion, name) for name in NAMES} | {"fact_id": fact_id}
        values |= {name: dump_list(values[name]) for name in LISTS}
        if self.db.execute(IS_ANOTHERS, values).get:
            # It was merged into another fact, which has it as it was told before.
            values["uid"] = uuid7(now_ms())
        self.db.execute(UPSERT, values)

    def remove(self, fact_id: int, assertion: FactSource) -> None:
        """Delete an assertion of a fact: its source says something else now."""
        self.db.execute(
            "DELETE FROM fact_sources WHERE fact_id = ? AND source = ? AND native_id = ?",
            (fact_id, assertion.source, assertion.native_id),
        )


def implied_source(fact: Fact) -> FactSource:
    """Return the assertion that the row of a fact without stored assertions stands for."""
    return local_source(
        fact.uid,
        at=fact.created_at,
        confidence=fact.confidence,
        entities=fact.entities,
        evidence=fact.evidence,
        places=fact.sources,
        extra=fact.extra,
    )


def local_source(
    fact_uid: str,
    *,
    at: int,
    confidence: float,
    entities: Iterable[str],
    evidence: Iterable[str],
    places: Iterable[str],
    extra: str | None = None,
) -> FactSource:
    """Return an assertion made in this store itself, at `at` ms; one with the same evidence and places
    is the same assertion, with the same uid and native id."""
    named, rests_on, at_places = _scrubbed(entities), _scrubbed(evidence), _scrubbed(places)
    shown, where = tuple(sorted(set(rests_on))), tuple(sorted(set(at_places)))
    native_id = digest(*shown, "", *where) if shown or where else "said"
    return FactSource(
        uid=stable_uid(fact_uid, native_id),
        source=LOCAL,
        native_id=native_id,
        told_at=at,
        confidence=confidence,
        entities=named,
        evidence=rests_on,
        places=at_places,
        witnesses=(*shown, *where),
        extra=extra,
    )


def session_source(
    fact_uid: str,
    session: Session,
    *,
    at: int,
    confidence: float,
    entities: Iterable[str],
    evidence: Iterable[str],
    places: Iterable[str],
    extra: str | None = None,
    witness: str | None = None,
) -> FactSource:
    """Return the assertion that a speaker (of `extra`) makes in a session: one, however often it is made
    there. Its witness is the session, whoever speaks in it, unless another `witness` is named."""
    native_id = digest("session", session.uid, speaker_of(extra))
    return FactSource(
        uid=stable_uid(fact_uid, native_id),
        source=LOCAL,
        native_id=native_id,
        told_at=at,
        confidence=confidence,
        entities=_scrubbed(entities),
        evidence=_scrubbed(evidence),
        places=_scrubbed(places),
        witnesses=(witness or session.uid,),
        session=session.content_session_id,
        extra=extra,
    )


def speaker_of(extra: str | None) -> str:
    """Return who stated a fact, or an assertion, by its `extra`: "user" or "assistant", "" for unknown."""
    result = read_object(extra).get(SPEAKER)
    return result if result in SPEAKERS else ""


def taken_by(extra: str | None) -> str:
    """Return who took a decision, by the `extra` of its fact: "user", "assistant", "agreed" where the
    agent proposed it and the user agreed, "" for unknown."""
    speaker = speaker_of(extra)
    return AGREED if speaker == "user" and read_object(extra).get(PROPOSED) is True else speaker


def taker_of(extra: str | None) -> str:
    """Return who took a decision in words, by the `extra` of its fact; "" for unknown."""
    return TAKERS.get(taken_by(extra), "")


def with_speaker(extra: str | None, speaker: Speaker | None) -> str | None:
    """Return an assertion's `extra` that says who made it; as it is where nobody is named."""
    if speaker is None:
        return extra
    return json.dumps(read_object(extra) | {SPEAKER: speaker}, ensure_ascii=False, sort_keys=True)


def merge_repeated(known: FactSource, assertion: FactSource) -> FactSource:
    """Return an assertion after it was made here again: the surer and the earlier counts."""
    return replace(
        known,
        confidence=max(known.confidence, assertion.confidence),
        told_at=min(known.told_at, assertion.told_at),
        entities=tuple(dict.fromkeys(known.entities + assertion.entities)),
        evidence=tuple(dict.fromkeys(known.evidence + assertion.evidence)),
        places=tuple(dict.fromkeys(known.places + assertion.places)),
        extra=known.extra or assertion.extra,
    )


def fact_columns(assertions: Iterable[FactSource]) -> Values:
    """Return the columns of a fact as all its assertions make them; it is deleted only when all of
    them are."""
    everything = list(assertions)
    living = [source for source in everything if source.deleted_at is None] or everything
    ordered = sorted(
        living,
        key=lambda fact_source: (
            not fact_source.is_verdict,
            fact_source.told_at,
            fact_source.native_id,
        ),
    )
    lists = {
        "entities": [item for entry in ordered for item in entry.entities],
        "evidence": [item for one in ordered for item in one.evidence],
        "sources": [item for one in ordered for item in one.places],
    }
    is_gone = all(one.deleted_at is not None for one in everything)
    return {
        **{name: dump_list(dict.fromkeys(items)) for name, items in lists.items()},
        "confidence": confidence(living),
        "extra": _merged_extra([one.extra for one in ordered if one.extra]),
        "created_at": ordered[0].told_at,
        "deleted_at": max(one.deleted_at or 0 for one in everything) if is_gone else None,
    }


def _scrubbed(items: Iterable[str]) -> tuple[str, ...]:
    return read_list(write_list(items))


def dump_list(items: Iterable[str]) -> str:
    """Return a list, which is scrubbed already, as its column holds it."""
    return json.dumps(list(items), ensure_ascii=False)


def _merged_extra(extras: list[str]) -> str | None:
    """Return one JSON object of several: of a key that several have, the first counts."""
    if len(set(extras)) < 2:
        return extras[0] if extras else None
    results: dict[str, object] = {}
    for extra in reversed(extras):
        results |= read_object(extra)
    speakers = {speaker_of(extra) for extra in extras}
    if speaker := next((text for text in SPEAKERS if text in speakers), None):
        # What the user said too is the user's.
        results[SPEAKER] = speaker
    return json.dumps(results, ensure_ascii=False, sort_keys=True)


def confidence(assertions: Collection[FactSource]) -> float:
    """Return how sure a fact is, 0 to 1: one minus the product of the doubts that each witness leaves
    (noisy-or), at most `MOST_CONFIDENCE` or what the surest assertion says. Their order makes no
    difference, nor does one made again.

    The doubt of an assertion is shared by the witnesses it rests on, and of a witness that several
    assertions name the least doubt counts. Where a memory gives a verdict on a fact, its newest
    one is how sure each of its witnesses is.
    """
    if not assertions:
        return 0.0
    verdicts = _verdicts(assertions)
    doubts: dict[str, float] = {}
    surest = 0.0
    for assertion in assertions:
        verdict = verdicts.get(assertion.source)
        sure = assertion.confidence if verdict is None else verdict.confidence
        surest = max(surest, sure)
        if assertion.is_verdict and not assertion.witnesses:
            continue
        names = set(assertion.witnesses) or {f"{assertion.source} {assertion.native_id}"}
        doubt = (1 - sure) ** (1 / len(names)) if verdict is None else 1 - sure
        for name in names:
            doubts[name] = min(doubts.get(name, 1.0), doubt)
    agreed = 1 - math.prod(sorted(doubts.values()))
    return round(max(surest, min(agreed, MOST_CONFIDENCE)), CONFIDENCE_DIGITS)


def _verdicts(assertions: Collection[FactSource]) -> dict[str, FactSource]:
    """Return the newest verdict of each source."""
    verdicts: dict[str, FactSource] = {}
    for assertion in sorted(assertions, key=lambda source: (source.told_at, source.confidence)):
        if assertion.is_verdict:
            verdicts[assertion.source] = assertion
    return verdicts

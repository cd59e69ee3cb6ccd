"""What waits for its user's word: what agents and models wrote, and what teammates shared; and their
verdict on both."""

from __future__ import annotations

from collections.abc import Iterable

from ..curation.reviewing import Review, Verdict
from ..platform.errors import InvalidRecordError
from ..platform.leaves import offers
from ..records.kinds import ANY_SHARED, ref_of
from ..store import Store


def reviews(store: Store, verdict: Verdict | None = None) -> list[Review]:
    """Return what nothing was said of yet, or teammates' with a verdict. What agents wrote and was
    accepted is like any other memory, and what was kept out of it is deleted."""
    own = store.reviewing.waiting() if verdict is None else []
    return own + [review for reviews_of in offers("reviews") for review in reviews_of(store, verdict)]


def give_verdict(store: Store, refs: Iterable[str], verdict: Verdict, reply: str = "") -> int:
    """Say something of memories that wait, as one undo; return of how many. A teammate's can be
    disputed, with a reply. Raises InvalidRecordError."""
    records = [store.any_record(name) for name in dict.fromkeys(refs)]
    own = [record for record in records if store.reviewing.is_waiting(record)]
    others = [ref_of(record) for record in records if record not in own]
    if verdict == "disputed" and own:
        raise InvalidRecordError(
            "{ref} is no teammate's: refuse it, or put it into other words.", ref=ref_of(own[0])
        )
    judges = [*offers("verdicts")] if others and store.db.execute(ANY_SHARED).get else []
    if not judges:
        return store.reviewing.say(records, verdict)
    if not own:
        return sum(int(judge(store, others, verdict, reply)) for judge in judges)
    with store.change():
        return store.reviewing.say(own, verdict) + sum(
            int(judge(store, others, verdict)) for judge in judges
        )

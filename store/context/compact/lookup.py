"""The records that ids name, where they may be told: what is hidden only when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...platform.errors import NotFoundError
from ...records.kinds import NOISE, ref_of
from ...records.rows import Note, Observation, Record, Session
from ...search.listing.teammates import Teammates, withheld

if TYPE_CHECKING:
    from ...store import Store

Told = Record | Note | Session


def find(store: Store, text: str, *, hidden: bool = False) -> Told:
    """Return the record, note or session of an id: 12, p12, s12, f12, n12, @12, a uid, or a session's own
    id. NotFoundError says what to do; so it does of one that is private, deleted or noise, unless
    `hidden` is asked for."""
    result: Told = store.any_record(text)
    if not Teammates(store.db).told([ref_of(result)]):
        raise NotFoundError(withheld(ref_of(result)))
    if not hidden and (why := hidden_by(result)):
        raise NotFoundError(f"{ref_of(result)} is {why}, and left out unless the user asks for it.")
    return result


def hidden_by(record: Told) -> str:
    """Return why a record is in no list: private, deleted or noise; "" for one that is."""
    if record.private:
        return "private"
    if record.deleted_at is not None:
        return "deleted"
    return NOISE if isinstance(record, Observation) and record.type == NOISE else ""

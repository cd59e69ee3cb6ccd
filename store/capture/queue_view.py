"""The queue as a list shows it: messages and quarantined events, in pages; retry or drop one of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..platform.errors import NotFoundError
from ..records.dataclasses import dataclass
from ..records.rows import PendingMessage
from ..store import Store
from ..tables.queue import STATES as STATES
from ..tables.queue import WAITING_OR_FAILED as WAITING_OR_FAILED
from ..tables.queue import QueueItem as QueueItem
from ..tables.queue import item_counts, item_page, items_by_ref
from .ingest import drain, quarantine


@dataclass(frozen=True, slots=True)
class QueueDetail:
    """All about one item: the message, or the record as the hook wrote it, and the title of what
    the rules made of it, `` where that is hidden."""

    item: QueueItem
    message: PendingMessage | None = None
    record: str = ""
    made: str = ""


def counts(store: Store) -> dict[str, int]:
    """How many items there are in each of `STATES`."""
    return item_counts(store.db)


def page(store: Store, states: Sequence[str], start: int, length: int) -> list[QueueItem]:
    """At most `length` items in some states, from the item `start` on: quarantined events, then
    what was processed, newest first, then the others, oldest first."""
    return item_page(store.db, states, start, length)


def found(store: Store, states: Sequence[str], words: str) -> tuple[str, ...]:
    """The refs of the items in some states that hold some words, in the order of `page`."""
    return store.list_search.messages(words, states).refs


def by_ref(store: Store, refs: Sequence[str]) -> list[QueueItem]:
    """The items with these refs, in the order given; without what is gone."""
    return items_by_ref(store.db, refs)


def detail(store: Store, item: QueueItem) -> QueueDetail | None:
    """All about one item; None when it is gone."""
    try:
        if item.ref.startswith("q"):
            (record,) = quarantine.records(store, [int(item.ref[1:])])
            return QueueDetail(item, record=record)
        message = store.pending.get(int(item.ref))
    except NotFoundError:
        return None
    return QueueDetail(item, message, made=_made(store, message))


def retry(store: Store, item: QueueItem) -> bool:
    """Try one again; whether it waits again, or is stored now. NotFoundError when it is gone."""
    if item.ref.startswith("q"):
        return drain.retry_quarantined(store, [int(item.ref[1:])]).stored == 1
    return store.pending.retry([int(item.ref)]) == 1


def drop(store: Store, item: QueueItem) -> None:
    """Delete one for good. NotFoundError when it is gone."""
    if item.ref.startswith("q"):
        quarantine.drop(store, [int(item.ref[1:])])
    else:
        store.pending.drop([int(item.ref)])


def _made(store: Store, message: PendingMessage) -> str:
    with suppress(NotFoundError):
        if message.observation_id is not None:
            observation = store.observations.get(message.observation_id)
            if observation.is_visible and observation.title:
                return observation.title
        if message.summary_id is not None:
            summary = store.summaries.get(message.summary_id)
            return (summary.request if summary.is_visible else None) or ""
    return ""

"""What the keys do to a record. Each gives the sentence that tells the user what was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from store import Entry, Store
from store.display import safe

Change = Callable[[Store, Entry], str]


def toggle_pin(store: Store, entry: Entry) -> str:
    """Pin a record, or unpin it."""
    pinned = not store.of(entry).pinned
    _table(store, entry).pin(entry.record_id, pinned)
    return _told("Pinned" if pinned else "Unpinned", entry)


def toggle_private(store: Store, entry: Entry) -> str:
    """Hide a record from every list, index and export, or show it again."""
    private = not store.of(entry).private
    _table(store, entry).set_private(entry.record_id, private)
    return _told("Hidden as private" if private else "Shown again", entry)


def toggle_deleted(store: Store, entry: Entry) -> str:
    """Delete a record, or restore it."""
    if store.of(entry).deleted_at is None:
        _table(store, entry).delete(entry.record_id)
        return _told("Deleted", entry)
    _table(store, entry).restore(entry.record_id)
    return _told("Restored", entry)


def _table(store: Store, entry: Entry) -> Any:
    return {
        "observation": store.observations,
        "prompt": store.prompts,
        "summary": store.summaries,
        "fact": store.facts,
    }[entry.kind]


def _told(done: str, entry: Entry) -> str:
    title = safe(entry.title)
    return f"{done}: {title[:60]}{'…' if len(title) > 60 else ''} (u undoes)"

"""What tests ask of an undo."""

from __future__ import annotations

from memtui.store import Store


def undone(store: Store) -> str | None:
    """Undo, and tell what was taken back; None where nothing could be, or was there to be."""
    done = store.undo()
    return done.what if done is not None and done.is_done else None

"""Where a word is meant by what is typed of it."""

from __future__ import annotations

from memtui.store.text.wrapping import has_wide


def place_in(word: str, typed: str) -> int:
    """Return at which character of a word stands what is typed: at its beginning, or anywhere in Chinese,
    which has no blanks between words; -1 where it isn't meant."""
    return word.find(typed) if has_wide(typed) else -1 + word.startswith(typed)

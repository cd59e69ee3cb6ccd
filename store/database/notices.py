"""What has to be said of a file that was opened, once: sentences that wait for whoever talks to the
user. Nothing here prints; a hook says nothing."""

from __future__ import annotations

_waiting: list[str] = []


def say(sentence: str) -> None:
    """Leave a sentence for the user."""
    if sentence not in _waiting:
        _waiting.append(sentence)


def take() -> list[str]:
    """Return the sentences that wait, oldest first; they wait no more."""
    taken = _waiting[:]
    _waiting.clear()
    return taken

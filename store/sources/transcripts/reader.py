"""What every transcript reader is: lines or a whole file in, events out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from ...capture.events import Event

State = dict[str, Any]
"""What a reader remembers between two readings of a growing file; JSON values only."""


class LineReader(Protocol):
    """Reads a file that grows by lines, each a JSON object.

    It may stop after any line and go on in another process from its `state`. A record it does not
    know is nothing; one that is not what it should be raises ValueError with a sentence, and the
    next goes on.
    """

    state: State

    def __init__(self, path: Path, state: State) -> None: ...

    def events(self, record: dict[str, Any]) -> Iterator[Event]:
        """The events that a line completes."""
        ...

    def pending(self) -> Iterator[Event]:
        """What is begun and may never be completed (a tool call without its result), for a file
        that is at rest; told again when the rest comes, under the same key."""
        ...


class FileReader(Protocol):
    """Reads a file that is rewritten as a whole each time it changes."""

    def __init__(self, path: Path) -> None: ...

    def events(self) -> Iterator[Event]:
        """All its events; ValueError with a sentence where the file isn't what it should be."""
        ...

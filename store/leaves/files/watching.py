"""Watch agents' files: what changes is told once it is quiet, and each version seen is kept."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from ...platform.errors import StoreError
from ...records.dataclasses import dataclass
from ...text.three_way import opcodes, split_lines
from .writing import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ...store import Store

    Stamp = tuple[int, int, int] | None

QUIET_SECONDS = 0.3
LEAST_SECONDS, MOST_SECONDS = 1.0, 10.0
"""How far two looks at the files lie apart."""
SHARE = 0.002
"""The share of a processor's time that looking may take."""
DISCOVERED_EVERY = 30
"""New files are looked for at each so manieth look."""


@dataclass(frozen=True, slots=True)
class SeenChange:
    """What became of a file: how many lines came and went, and whether this program did it."""

    path: Path
    what: Literal["made", "changed", "deleted"]
    added: int
    removed: int
    is_ours: bool


class FileWatch:
    """Watches files that are known; `known` gives their paths, and is asked now and then."""

    def __init__(self, store: Store, known: Callable[[], Iterable[Path]]) -> None:
        self.store = store
        self.known = known
        self.stamps: dict[Path, Stamp] = {}
        self.contents: dict[Path, bytes | None] = {}
        self.pending: dict[Path, float] = {}
        self.looks = 0
        self.seconds = LEAST_SECONDS
        """How long to wait before the next look."""
        with store.transaction():
            for path in known():
                self._learn(path)
            store.agent_files.prune()

    def look(self, now: float) -> list[SeenChange]:
        """Look at the files once, and return what has changed and been quiet since; `now` in seconds of any
        clock that goes on."""
        began = time.process_time()
        self.looks += 1
        if self.looks % DISCOVERED_EVERY == 0:
            for path in self.known():
                if path not in self.stamps:
                    self.stamps[path] = None
                    self.contents[path] = None
        for path, before in self.stamps.items():
            if (stamp := _stamp(path)) != before:
                self.stamps[path] = stamp
                self.pending[path] = now
        quiet = [path for path, since in self.pending.items() if now - since >= QUIET_SECONDS]
        changes = [change for path in quiet if (change := self._change(path)) is not None]
        self.seconds = min(max(LEAST_SECONDS, (time.process_time() - began) / SHARE), MOST_SECONDS)
        if self.pending:
            self.seconds = min(self.seconds, QUIET_SECONDS)
        return changes

    def _learn(self, path: Path) -> None:
        self.stamps[path] = _stamp(path)
        try:
            shown = show(path)
        except StoreError:
            self.contents[path] = None
            return
        self.contents[path] = shown.content
        if shown.content is not None or path in self.pending:
            self.store.agent_files.see(path, shown.state, shown.content)

    def _change(self, path: Path) -> SeenChange | None:
        before = self.contents.get(path)
        left = self.store.agent_files.state_of(path)
        with self.store.transaction():
            self._learn(path)
            self.store.agent_files.prune()
        del self.pending[path]
        after = self.contents[path]
        if before == after:
            return None
        old, new = split_lines(before or b""), split_lines(after or b"")
        codes = opcodes(old, new)
        changed = [code for code in codes if code[0] != "equal"]
        return SeenChange(
            path,
            "made" if before is None else "deleted" if after is None else "changed",
            sum(last - first for *_, first, last in changed),
            sum(end - start for _, start, end, *_ in changed),
            left == self.store.agent_files.state_of(path),
        )


def _stamp(path: Path) -> Stamp:
    """Return what changes whenever a file does; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino

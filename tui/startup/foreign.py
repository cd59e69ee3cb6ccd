"""Other memories to look around in: each is read into a private store that is gone afterwards."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from store import SourceError, Store

from ..text.paths import short

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))

ONE = "Another memory: nothing of it is in your own. `mem import` brings it in."
SEVERAL = "Other memories: nothing of them is in your own. `mem import` brings them in."


@dataclass(frozen=True, slots=True)
class Foreign:
    """The private store, whose memories it holds, as the header tells it, and what the notice says."""

    path: Path
    owner: str
    notice: str


@contextmanager
def foreign(paths: Sequence[Path]) -> Iterator[Foreign]:
    """A private store (0700, in the system's temporary directory) of what lies at some paths.

    Each is a source of its own there, such as `claude-mem:claude-mem.db`. The user's own memory is
    not touched, nor are the files. Raises SourceError where there is nothing to be read.
    """
    with _removed_when_ended(), TemporaryDirectory(prefix="memtui-from-") as directory:
        path = Path(directory) / "memory.db"
        labels: list[str] = []
        for place in paths:
            with Store.open(path) as store:
                labels.append(_taken_in(store, place, labels))
                if not store.listing_count(""):
                    raise SourceError(f"{place} holds no memories.")
        yield Foreign(path, _owner(labels, paths), ONE if len(paths) == 1 else SEVERAL)


def _taken_in(store: Store, path: Path, others: Sequence[str]) -> str:
    """Read what lies at a path into the store; the name of it as a source."""
    if not path.exists():
        raise SourceError(f"There is no file or folder {path}. Name one that holds a memory.")
    # Not worth their import where the own memory is opened.
    from store.formats.common.source_labels import label
    from store.maintain.importing import run, source_of

    with _telling(path) as tell:
        report = run(store, source_of(path), path, tell)
    name = wanted = f"{report.source.split(':')[0]}:{path.resolve().name}"
    number = 1
    while name in others:
        number += 1
        name = f"{wanted}-{number}"
    label(store, name, others)
    return name


def _owner(labels: Sequence[str], paths: Sequence[Path]) -> str:
    """`claude-mem ~/.claude-mem/claude-mem.db`, or only the kinds where there are several."""
    kinds = [label.split(":")[0] for label in labels]
    if len(paths) == 1:
        return f"{kinds[0]} {short(paths[0].absolute())}"
    return f"{', '.join(kinds[:-1])} and {kinds[-1]}"


@contextmanager
def _telling(path: Path) -> Iterator[Callable[[int, int, str], None] | None]:
    """What is told how far the reading is, in a line that is gone afterwards; None for no terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def tell(done: int, total: int, _words: str) -> None:
        part = f"{100 * done // total}%" if total else ""
        sys.stderr.write(f"\r\x1b[KReading {short(path.absolute())} {part}")
        sys.stderr.flush()

    tell(0, 0, "")
    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[K")


@contextmanager
def _removed_when_ended() -> Iterator[None]:
    """Have signals that end the process end it by way of every `finally`."""

    def leave(number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + number)

    before = {one: signal.signal(one, leave) for one in ENDING}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)

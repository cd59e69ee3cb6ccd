"""Memories to look around in, others and the own one as it was: private copies, gone afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memtui.store import SourceError, Store, as_of, moment_of
from memtui.store.capture.ingest.catch_up import open_caught_up
from memtui.store.database.files import temporary
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..text.paths import short

ONE = _("This is another store, separate from your own. `mem import` copies it into yours.")
SEVERAL = _("Other memories: nothing of them is in your own. `mem import` brings them in.")

AS_OF = _("The store as it was then: a read-only copy, deleted when you quit.")


@dataclass(frozen=True, slots=True)
class PrivateCopy:
    """A copy: its file, the sentences of the notice, and for the header whose memory it is or of when."""

    path: Path
    notice: str
    owner: str = ""
    as_of: str = ""


@contextmanager
def past(path: Path | None, date: str) -> Iterator[PrivateCopy]:
    """Have a memory (the user's own when no path is given) as it was at a date, until the block ends.

    Raises StoreError for what is no date.
    """
    at = moment_of(date)
    with open_caught_up(path) as store:
        place = store.path
    with _telling(_("Looking back")) as tell, as_of(place, at, tell) as result:
        yield PrivateCopy(result.path, " ".join((AS_OF, *result.notes)), as_of=result.title)


@contextmanager
def foreign(paths: Sequence[Path]) -> Iterator[PrivateCopy]:
    """A private store (0700, in the system's temporary directory) of what lies at some paths.

    Each is a source of its own there, such as `claude-mem:claude-mem.db`. The user's own memory is
    not touched, nor are the files. Raises SourceError where there is nothing to be read.
    """
    with temporary.removed_when_ended(), temporary.directory("memtui-from-") as directory:
        path = directory / "memory.db"
        labels: list[str] = []
        for place in paths:
            with Store.open(path) as store:
                for source in _sources(place):
                    labels.append(_taken_in(store, source, place, labels))
                if not store.find("").count().value:
                    raise SourceError("{place} holds no memories.", place=place)
        notice = ONE if len(labels) == 1 else SEVERAL
        yield PrivateCopy(path, notice, owner=_owner(labels, paths))


@contextmanager
def _telling(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Have a line on stderr tell the progress, erased at the end. Yield the function to call with what is
    done and the total; None where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    name = safe(what)

    def tell(done: int, total: int) -> None:
        part = f"{100 * done // total}%" if total else ""
        sys.stderr.write(f"\r\x1b[K{name} {part}")
        sys.stderr.flush()

    tell(0, 0)
    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[K")


def _sources(path: Path) -> list[str]:
    """What lies at a path: one kind of memory, or transcripts of one or several agents."""
    if not path.exists():
        raise SourceError("There is no file or folder {path}. Name one that holds a store.", path=path)
    # Not worth their import where the own memory is opened.
    from memtui.store.maintain.importing import sources_of

    return sources_of(path)


def _taken_in(store: Store, source: str, path: Path, others: Sequence[str]) -> str:
    """Read what a source left at a path into the store; the name of it as a source."""
    from memtui.store import label_source
    from memtui.store.maintain.importing import run

    with _telling(_("Reading {path}", path=short(path.absolute()))) as tell:
        report = run(store, source, path, tell and (lambda done, total, _words: tell(done, total)))
    name = wanted = f"{report.source.split(':')[0]}:{path.resolve().name}"
    number = 1
    while name in others:
        number += 1
        name = f"{wanted}-{number}"
    label_source(store, name, others)
    return name


def _owner(labels: Sequence[str], paths: Sequence[Path]) -> str:
    """`claude-mem ~/.claude-mem/claude-mem.db`, or only the kinds where there are several."""
    kinds = [label.split(":")[0] for label in labels]
    if len(labels) == 1:
        return f"{kinds[0]} {short(paths[0].absolute())}"
    return _("{kinds} and {last}", kinds=_(", ").join(kinds[:-1]), last=kinds[-1])

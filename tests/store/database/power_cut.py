"""A layer under SQLite that knows what a power cut may take: all that was written and not yet synced.

SQLite's files are on the real disk as it writes them. Beside, each file's content as of its last sync
is kept, and what was written to it since. An image is the former with a random part of the latter:
each write lost, whole, or torn at a sector. The name of a new file may be lost until its first sync, a
removed one may come back.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512


@dataclass(slots=True)
class Kept:
    """A file as of its last sync, and what happened to it since: writes, or the size it was cut to."""

    content: bytearray = field(default_factory=bytearray)
    since: list[tuple[int, bytes] | int] = field(default_factory=list)
    is_named: bool = False
    is_removed: bool = False

    def sync(self) -> None:
        """All that happened is on the disk."""
        for one in self.since:
            _apply(self.content, one)
        self.since.clear()
        self.is_named = True

    def after_a_cut(self, draw: random.Random) -> bytes | None:
        """Return what may be left of it; None where its name is gone."""
        if (self.is_removed or not self.is_named) and draw.random() < 0.5:
            return None
        content = bytearray(self.content)
        fate = draw.choice(("all lost", "all there", "some", "some"))
        for one in self.since:
            if fate == "all there" or (fate == "some" and draw.random() < 0.5):
                if not isinstance(one, int) and draw.random() < 0.3:
                    at, data = one
                    one = at, data[: draw.randrange(len(data) // SECTOR + 1) * SECTOR]
                _apply(content, one)
        return bytes(content)


def _apply(content: bytearray, one: tuple[int, bytes] | int) -> None:
    if isinstance(one, int):
        del content[one:]
        return
    at, data = one
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


class Disk(apsw.VFS):
    """All that SQLite does goes through it while `plugged`; `step` is called before each write and sync."""

    def __init__(self, step: Callable[[], object]) -> None:
        self.files: dict[str, Kept] = {}
        self.step = step
        super().__init__("power-cut", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        if filename in self.files:
            self.files[filename].is_removed = True
            if syncdir:
                del self.files[filename]

    def write_image(self, folder: Path, draw: random.Random) -> None:
        """Write what a power cut at this moment may leave of all files into a folder."""
        for name, kept in self.files.items():
            left = kept.after_a_cut(draw)
            if left is not None:
                (folder / Path(name).name).write_bytes(left)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        there = bool(path) and Path(path).exists()
        super().__init__("unix", name, flags)
        self.disk = disk
        if path and (path not in disk.files or disk.files[path].is_removed):
            content = bytearray(Path(path).read_bytes()) if there else bytearray()
            disk.files[path] = Kept(content, is_named=there)
        self.kept = disk.files[path] if path else Kept()

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.step()
        super().xWrite(data, offset)
        self.kept.since.append((offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self.disk.step()
        super().xTruncate(newsize)
        self.kept.since.append(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.step()
        super().xSync(flags)
        self.kept.sync()


@contextmanager
def plugged(step: Callable[[], object]) -> Iterator[Disk]:
    """Have every connection opened meanwhile go through a `Disk`."""
    before = apsw.vfs_names()[0]
    disk = Disk(step)
    try:
        yield disk
    finally:
        apsw.set_default_vfs(before)
        disk.unregister()

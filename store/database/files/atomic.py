"""Write files whole or not at all, for their owner only: a draft beside the file takes its place."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...platform.paths import make_private_directories
from ...platform.system import posix
from .temporary import is_running, noted


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """Make an empty file (0600) beside `path`, to be filled and then given to `publish`.

    What is left of it when the block ends is removed; what a killed process left, by the next
    `sweep`, or that of `temporary`. Raises OSError.
    """
    made = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with noted(made):
        os.close(create_private(made))
        try:
            yield made
        finally:
            made.unlink(missing_ok=True)


def publish(made: Path, path: Path, *, replace: bool, durable: bool = True) -> None:
    """Give a finished draft the name `path`; `durable` waits until both are on the disk.

    Without `replace`, FileExistsError where something has the name, also if it got it meanwhile.
    """
    if durable:
        sync(made)
    if replace:
        made.replace(path)
    else:
        _link(made, path)
    if durable:
        sync(path.parent)


def write(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Put a file with this content in place of `path`; where that is a link, of what it leads to.

    An existing file keeps its mode and owner, a new one is 0600. Raises OSError.
    """
    # Unlike `resolve`, this goes round no circle of links; the draft then says what is wrong.
    target = Path(os.path.realpath(path))
    with draft(target) as made:
        made.write_bytes(content)
        resemble(made, target)
        publish(made, target, replace=True, durable=durable)


def resemble(made: Path, model: Path) -> None:
    """Give a file the mode and owner of another, if there is that."""
    try:
        wanted = model.stat()
    except FileNotFoundError:
        return
    own = made.stat()
    if (wanted.st_uid, wanted.st_gid) != (own.st_uid, own.st_gid):
        os.chown(made, wanted.st_uid, wanted.st_gid)
    made.chmod(stat.S_IMODE(wanted.st_mode))


def create_private(path: Path) -> int:
    """Create a file that only its owner may read or write, whatever the umask, and give its
    descriptor, open for writing; FileExistsError where there is one."""
    descriptor = posix.open(path, posix.O_CREAT | posix.O_EXCL | posix.O_WRONLY | posix.O_CLOEXEC, 0o600)
    posix.fchmod(descriptor, 0o600)
    return descriptor


def make_directories(path: Path) -> None:
    """Make a directory, and those above it that are missing, for their owner only; those that exist
    stay as they are. Their names are on the disk then. Raises OSError."""
    place = path.absolute()
    missing = [item for item in (place, *place.parents) if not item.exists()]
    make_private_directories(bytes(place))
    for made in missing:
        sync(made.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on the disk, where that can be asked."""
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(path: Path) -> None:
    """Remove the drafts of `path` that were left by processes which were killed over them."""
    for made in path.parent.glob(f".{path.name}.*.*"):
        number = made.name.removeprefix(f".{path.name}.").partition(".")[0]
        if number.isdecimal() and not is_running(int(number)):
            made.unlink(missing_ok=True)


def sweep_all(folder: Path) -> None:
    """Remove the drafts of any file in a directory of ours that killed processes left there."""
    with suppress(OSError):
        for made in folder.iterdir():
            match = re.fullmatch(r"\..+\.(\d+)\.[0-9a-f]{8}(-journal|-wal|-shm)?", made.name)
            if match and not is_running(int(match[1])):
                made.unlink(missing_ok=True)


def _link(made: Path, path: Path) -> None:
    try:
        # Unlike a rename, a link fails where something else took the name meanwhile.
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system knows links.
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        made.rename(path)

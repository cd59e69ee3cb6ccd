"""Change a file that others change too, whole or not at all, so that nothing that they write meanwhile is
lost: what was there is looked at once more after it was replaced.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from ...platform.errors import FileConflictError
from ...platform.processes import copy_attributes, exchange, is_open_elsewhere
from ...platform.regular_file import FLAGS, checked, read_bounded
from ...platform.system import posix
from ...records.dataclasses import dataclass
from ...text.three_way import merged, split_lines
from . import atomic
from .versions import sha256

NO_EXCHANGE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)

PATIENCE_SECONDS = 2.0
"""So long is a program waited for that still has the replaced file open."""
STEP_SECONDS = 0.002
MOST_MERGES = 100


@dataclass(frozen=True, slots=True)
class FileState:
    """What a file is: the SHA-256 of its bytes, the permissions of its mode, and its mtime in ns since the
    epoch. All are None where there is no file."""

    sha256: str | None = None
    mode: int | None = None
    mtime_ns: int | None = None


def read_state(path: Path) -> tuple[FileState, bytes | None]:
    """Return what a regular file is and holds; None where there is none. A link isn't followed. Raises
    OSError."""
    try:
        with checked(posix.open(path, FLAGS | posix.O_NOFOLLOW), path) as file:
            content = read_bounded(file, path)
            status = os.fstat(file.fileno())
    except FileNotFoundError:
        return FileState(), None
    return FileState(sha256(content), stat.S_IMODE(status.st_mode), status.st_mtime_ns), content


def put(path: Path, before: bytes | None, content: bytes | None, state: FileState) -> bytes | None:
    """Give a file that holds `before` new content, with the mode and mtime of `state`; None is no file.

    Returns what it holds then: that is more than `content` where somebody wrote to it meanwhile, and both
    could be merged. Where they can't be it is left as they wrote it, and as they went on to write it:
    FileConflictError. Raises OSError.
    """
    ours = content
    is_given_up = False
    displaced: list[bytes] = []
    for _try in range(MOST_MERGES):
        is_put, present = _swap(path, before, content, state)
        if present == before:
            if is_given_up:
                raise conflict(path, ours, content, displaced)
            return content
        if is_put and present is not None:
            displaced.append(present)
        both = None
        if before is not None and content is not None and present is not None:
            both = merged(before, content, present)
        if not is_put and (both is None or (is_given_up and both == present)):
            raise conflict(path, ours, present, displaced)
        if both is None:
            # Theirs goes back into its place, with what they write from now on.
            is_given_up, state, both = True, FileState(), present
        before, content = content if is_put else present, both
    raise conflict(path, ours, before, displaced)


def conflict(
    path: Path, ours: bytes | None, theirs: bytes | None, displaced: list[bytes]
) -> FileConflictError:
    """Return the error for a file that others changed in the same lines."""
    lines = {*split_lines(theirs or b""), *split_lines(ours or b"")}
    lost = tuple(text for text in dict.fromkeys(displaced) if not lines.issuperset(split_lines(text)))
    text = (
        "{path} was changed by other programs in the same lines meanwhile, and was left as they wrote "
        "it last. What they wrote before is among its versions (`mem history {path}`)."
        if lost
        else "{path} was changed by another program in the same lines meanwhile, and was left as "
        "that wrote it. Look at both, then do it again."
    )
    error = FileConflictError(text, ours, theirs, path=path)
    error.displaced = lost
    return error


def _swap(
    path: Path, before: bytes | None, content: bytes | None, state: FileState
) -> tuple[bool, bytes | None]:
    """Put content in the place of what a file holds; return whether that was done, and what it held in
    the end. Where it shows beforehand that this isn't `before`, nothing is done."""
    if before is None:
        return _create(path, content, state)
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False, None
    if content is None:
        return _remove(path, before)
    if status.st_nlink > 1 or not os.access(path.parent, os.W_OK | os.X_OK) or _is_held(path):
        return _overwrite(path, before, content, state)
    with atomic.draft(path) as made:
        _fill(made, content, state, path)
        present = read_state(path)[1]
        if present != before:
            return False, present
        try:
            exchange(made, path)
        except FileNotFoundError:
            return False, None
        except OSError as error:
            if error.errno not in NO_EXCHANGE:
                raise
            made.replace(path)
            return True, present
        atomic.sync(path.parent)
        return True, _read_when_closed(made)[0]


def _create(path: Path, content: bytes | None, state: FileState) -> tuple[bool, bytes | None]:
    if content is None:
        return True, None
    try:
        with atomic.draft(path) as made:
            _fill(made, content, state, None)
            atomic.publish(made, path, replace=False)
    except FileExistsError:
        return False, read_state(path)[1]
    return True, None


def _remove(path: Path, before: bytes) -> tuple[bool, bytes | None]:
    with atomic.draft(path) as made:
        try:
            path.replace(made)
        except FileNotFoundError:
            return False, None
        present = _read_when_closed(made)[0]
        if present != before:
            with suppress(FileExistsError):
                atomic.publish(made, path, replace=False)
                return False, present
        return True, present


def _overwrite(path: Path, before: bytes, content: bytes, state: FileState) -> tuple[bool, bytes | None]:
    """Write a file in place: another name of it has to show the same, its directory takes no draft, or a
    program that goes on to write to it has it open."""
    descriptor = posix.open(path, posix.O_RDWR | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    with os.fdopen(descriptor, "r+b") as file:
        present = file.read()
        if present != before:
            return False, present
        file.seek(0)
        file.write(content)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
        if state.mode is not None:
            posix.fchmod(file.fileno(), state.mode)
        if state.mtime_ns is not None:
            os.utime(file.fileno(), ns=(time.time_ns(), state.mtime_ns))
    return True, present


def _fill(made: Path, content: bytes, state: FileState, model: Path | None) -> None:
    made.write_bytes(content)
    if model is not None:
        atomic.resemble(made, model)
        copy_attributes(made, model)
    if state.mode is not None:
        made.chmod(state.mode)
    if state.mtime_ns is not None:
        os.utime(made, ns=(time.time_ns(), state.mtime_ns))
    atomic.sync(made)


def _is_held(path: Path) -> bool:
    """Return whether a program keeps a file open to write to it, for longer than it is waited for."""
    return _read_when_closed(path, to_write=True)[1]


def _read_when_closed(path: Path, *, to_write: bool = False) -> tuple[bytes | None, bool]:
    """Return what a file holds once no other program has it open any more, or open to write to it, as far
    as the system tells; and whether one has it still."""
    descriptor = posix.open(path, FLAGS | posix.O_NOFOLLOW)
    with checked(descriptor, path) as file:
        until = time.monotonic() + PATIENCE_SECONDS
        while (is_open := is_open_elsewhere(descriptor, to_write)) and time.monotonic() < until:
            time.sleep(STEP_SECONDS)
        return read_bounded(file, path), is_open

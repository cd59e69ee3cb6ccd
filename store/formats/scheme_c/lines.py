"""Parse the JSON lines of a directory: the objects in them, what is wrong with other lines, and values;
and open and write its files without ever following a link out of it.

The directory itself may be a link: its user named it. Below it none is followed, wherever it leads, and
none that takes the place of a folder meanwhile."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from ...platform.regular_file import FLAGS, checked, read_bounded
from ...platform.system import posix
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass
from ...text.redaction import scrub_json
from ...text.times import LATEST, moment
from ..common.values import scrub_payload

BOM = b"\xef\xbb\xbf"
LONGEST = 64 << 20
"""Bytes: nobody wrote a longer line."""

SHORT = 80
"""Characters of a text that may be a name, which comes again and again."""


@dataclass(frozen=True, slots=True)
class ObjectLine:
    """An object of a file, its line number (from 1), its bytes, and what was odd about these."""

    file: str
    number: int
    raw: bytes
    values: dict[str, Any]
    oddity: str | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that can't be read, and why; `is_blank` when there is nothing in it, and `skipped` is what it
    counts as."""

    file: str
    number: int
    raw: bytes
    reason: str
    is_blank: bool = False
    skipped: str = N_("not a JSON object")


def read_lines(path: Path, file: str) -> Iterator[ObjectLine | BadLine]:
    """Yield every line of a file by its name in a directory. Raises OSError."""
    with open_in(path, file) as stream:
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST), b""), start=1):
            yield read_line(raw, file, number)


def read_line(raw: bytes, file: str, number: int) -> ObjectLine | BadLine:
    """Parse one line, with or without its line break."""
    content = bare(raw)
    if not content:
        return BadLine(file, number, raw, "blank", is_blank=True)
    oddity = None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode(errors="replace")
        oddity = _("is not valid UTF-8; what can't be read of it became U+FFFD")
    try:
        result = json.loads(text)
    except (ValueError, RecursionError) as error:
        return BadLine(file, number, raw, _why(text, raw, error))
    if not isinstance(result, dict):
        return BadLine(file, number, raw, _("is JSON, but no object"))
    return ObjectLine(file, number, raw, result, oddity)


def bare(raw: bytes) -> bytes:
    """Return a line without the blanks, line break and byte order mark around it."""
    return raw.strip().removeprefix(BOM).strip()


def _why(text: str, raw: bytes, error: ValueError | RecursionError) -> str:
    if "\0" in text:
        return _("is not valid JSON: it holds zero bytes")
    if isinstance(error, RecursionError):
        return _("is not valid JSON: it is nested too deep")
    if isinstance(error, json.JSONDecodeError):
        if error.msg == "Extra data":
            return _("holds more than one JSON value")
        is_cut = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        if is_cut or not raw.endswith(b"\n"):
            return _("is cut off: its JSON doesn't end")
        return _("is not valid JSON ({error} at character {place})", error=error.msg, place=error.pos + 1)
    return _("is not valid JSON ({error})", error=error)


def dumped(kept: dict[str, object]) -> str | None:
    """Return what is left of a line as its record holds it; None for nothing."""
    return json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else None


def scrub(text: str) -> str:
    """Return a text without what is private or secret; short ones are cached."""
    return _scrubbed_name(text) if len(text) < SHORT else scrub_payload(text)


_scrubbed_name = lru_cache(maxsize=10_000)(scrub_payload)


def line_id(values: dict[str, Any]) -> str | None:
    """Return the id that a line has; None for none."""
    result = values.get("id")
    if isinstance(result, str):
        return scrub(result).strip() or None
    return str(result) if isinstance(result, int) and not isinstance(result, bool) else None


def time_of(found: object) -> int | None:
    """Return the time in a value, ms since the epoch, UTC; None for none."""
    if isinstance(found, str):
        return moment(None, found.strip())
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 < found < LATEST:
        return moment(int(found), None)
    return None


def listed(text: str) -> list[Any]:
    """Return the items of a list that was written as a text: as JSON, or with commas."""
    with suppress(ValueError, RecursionError):
        result = json.loads(text)
        if isinstance(result, list):
            return result
    return re.split(r"\s*[,，、]\s*", text)


def shown(value: object) -> str:
    """Return the first 40 characters of a value for a warning, scrubbed."""
    return scrub(json.dumps(scrub_json(value), ensure_ascii=False))[:40]


def finite(kept: dict[str, object]) -> dict[str, object]:
    """Return an object with NaN and infinities, which JSON doesn't have, as texts."""
    text = json.dumps(kept)
    if "NaN" not in text and "Infinity" not in text:
        return kept
    results: dict[str, object] = json.loads(text, parse_constant=str)
    return results


FOLDER = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC
FILE_MODE, FOLDER_MODE = 0o600, 0o700


def open_in(root: Path, name: str) -> BinaryIO:
    """Open a regular file by its name below a directory. Raises OSError, also for a link."""
    with _parent(root, name) as (folder, last):
        return checked(_opened(folder, last, FLAGS, root / name), root / name)


def read_in(root: Path, name: str) -> bytes:
    """Return the content of a regular file by its name below a directory. Raises OSError."""
    with open_in(root, name) as file:
        return read_bounded(file, root / name)


def link_in(root: Path, name: str) -> str | None:
    """Return the first part of a name below a directory that is a link; None where none is."""
    place = root
    for part in Path(name).parts:
        place /= part
        if place.is_symlink():
            return place.relative_to(root).as_posix()
    return None


@contextmanager
def appending(root: Path, name: str) -> Iterator[int]:
    """Give the descriptor of a file below a directory, open to be read and appended to; it and its
    folder are made where they are missing. Raises OSError."""
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NONBLOCK
    with _parent(root, name, make=True) as (folder, last):
        descriptor = _opened(folder, last, flags, root / name)
        try:
            checked(os.dup(descriptor), root / name).close()
            if os.fstat(descriptor).st_nlink > 1:
                # Another name of it may lie anywhere: what is written is a file of its own.
                content = posix.pread(descriptor, os.fstat(descriptor).st_size, 0)
                _replace(folder, last, content, descriptor)
                os.close(descriptor)
                descriptor = _opened(folder, last, flags, root / name)
            yield descriptor
        finally:
            os.close(descriptor)


def write_in(root: Path, name: str, content: bytes) -> None:
    """Put a file with this content below a directory in place of what is there, and wait for the
    disk. What was there keeps its mode, a new one is 0600. Raises OSError, also for a link."""
    with _parent(root, name, make=True) as (folder, last):
        before = None
        with suppress(FileNotFoundError):
            before = _opened(folder, last, FLAGS, root / name)
        try:
            if before is not None:
                checked(os.dup(before), root / name).close()
            _replace(folder, last, content, before)
        finally:
            if before is not None:
                os.close(before)


def _replace(folder: int, last: str, content: bytes, model: int | None) -> None:
    draft = f".{last}.{os.getpid()}.{os.urandom(4).hex()}"
    flags = posix.O_CREAT | posix.O_EXCL | posix.O_WRONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW
    made = posix.open(draft, flags, FILE_MODE, dir_fd=folder)
    try:
        posix.fchmod(made, FILE_MODE)
        if model is not None:
            wanted, own = os.fstat(model), os.fstat(made)
            if (wanted.st_uid, wanted.st_gid) != (own.st_uid, own.st_gid):
                os.fchown(made, wanted.st_uid, wanted.st_gid)
            posix.fchmod(made, wanted.st_mode & 0o7777)
        view = memoryview(content)
        while view:
            view = view[os.write(made, view) :]
        os.fsync(made)
        os.rename(draft, last, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
    finally:
        os.close(made)
    with suppress(OSError):
        os.fsync(folder)


@contextmanager
def _parent(root: Path, name: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """Give the descriptor of the folder that a file is in, and the last part of its name."""
    *folders, last = Path(name).parts
    if ".." in (*folders, last):
        raise OSError(errno.EINVAL, _("it would lead out of the directory"), str(root / name))
    descriptor = posix.open(root, FOLDER)
    try:
        for part in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, FOLDER_MODE, dir_fd=descriptor)
            inner = _opened(descriptor, part, FOLDER, root / name)
            os.close(descriptor)
            descriptor = inner
        yield descriptor, last
    finally:
        os.close(descriptor)


def _opened(folder: int, part: str, flags: int, path: Path) -> int:
    try:
        return posix.open(part, flags | posix.O_NOFOLLOW, FILE_MODE, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK) or (
            error.errno == errno.ENOTDIR and flags & posix.O_DIRECTORY
        ):
            reason = _("it is a link, or in one, and none is followed out of a directory")
            raise OSError(errno.ELOOP, reason, str(path)) from error
        raise OSError(error.errno, error.strerror, str(path)) from error

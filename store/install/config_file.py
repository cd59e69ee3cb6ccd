"""A configuration file and its backup, on their way from one content to another."""

from __future__ import annotations

import difflib
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from ..database.files import atomic
from ..errors import ConfigurationError
from ..records.dataclasses import dataclass
from ..regular_file import read_regular

TRIES = 3

Condition = Literal["no", "yes", "outdated", "unreadable"]
"""Whether our hooks are in a file. `outdated`: they name a program that is gone, or miss an event;
installing again mends that."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a file and its backup hold; None where there is no such file."""

    file: bytes | None
    backup: bytes | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What became, or would become, of a configuration file."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changed(self) -> bool:
        """Whether it is another than before."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        lines = difflib.unified_diff(
            _lines(self.before),
            _lines(self.after),
            "/dev/null" if self.before is None else str(self.path),
            "/dev/null" if self.after is None else str(self.path),
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def edit(path: Path, plan: Callable[[Content], Content], *, root: Path, dry_run: bool = False) -> Change:
    """Turn a file and its backup into what `plan` makes of them; the change.

    A link stays one: its target is written. Mode and owner are kept; a new file is 0600, a new
    script and directory 0700, and one of these below `root` goes with the last file in it. Raises
    ConfigurationError, with the file as it was, where it can't be done or others keep writing it.
    """
    with _explain_errors(path):
        for _try in range(TRIES):
            target = path.resolve()
            before = Content(read_file(target), read_file(backup_of(path)))
            after = plan(before)
            if dry_run or before == after or _write(path, target, before, after, root):
                return Change(path, before.file, after.file)
    raise ConfigurationError(
        "{path} is being written by another program; nothing was changed. Try again.", path=path
    )


def read(path: Path) -> Content:
    """The content of a file and of its backup; ConfigurationError where they can't be read."""
    with _explain_errors(path):
        return Content(read_file(path.resolve()), read_file(backup_of(path)))


def backup_of(path: Path) -> Path:
    """The path of the backup: the bytes from before the first install."""
    return path.with_name(path.name + ".memtui-backup")


def _write(path: Path, target: Path, before: Content, after: Content, root: Path) -> bool:
    """Write both files; False where one has changed since it was read."""
    backup = backup_of(path)
    if after.backup not in (None, before.backup) and not write_if_unchanged(
        backup, after.backup, before.backup
    ):
        return False
    if after.file is not None and after.file != before.file:
        if not write_if_unchanged(target, after.file, before.file):
            return False
    elif after.file is None:
        if read_file(target) != before.file:
            return False
        target.unlink(missing_ok=True)
    if after.backup is None:
        backup.unlink(missing_ok=True)
    if after.file is None:
        remove_made_directories(target.parent, root.resolve())
    return True


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines(keepends=True)


@contextmanager
def _explain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise ConfigurationError("{path} is a link to itself. Remove it.", path=path) from error
    except OSError as error:
        raise ConfigurationError(
            "{path} can't be read or written ({error}); it was left as it was. Check "
            "its permissions, and those of its directory.",
            path=path,
            error=error.strerror,
        ) from error


def read_file(path: Path) -> bytes | None:
    """A file's content; None where there is none, ConfigurationError for what is no file."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(kind):
        raise ConfigurationError("{path} is not a plain file; it was left as it was. Move it.", path=path)
    return read_regular(path)


def write_if_unchanged(path: Path, content: bytes, expected: bytes | None) -> bool:
    """Write a file beside its path and move it there; False when what is there is not `expected`.

    An existing file keeps its mode and owner; a new one is 0600, a script 0700, as new directories are.
    """
    atomic.make_directories(path.parent)
    with atomic.draft(path) as made:
        made.write_bytes(content)
        if content.startswith(b"#!"):
            made.chmod(0o700)
        atomic.resemble(made, path)
        atomic.sync(made)
        if read_file(path) != expected:
            return False
        try:
            # A new file never takes the place of what appeared meanwhile.
            atomic.publish(made, path, replace=expected is not None, durable=False)
        except FileExistsError:
            return False
    atomic.sync(path.parent)
    return True


def remove_made_directories(folder: Path, root: Path) -> None:
    """Remove the directories that were made for a file: empty ones, for our eyes only, below
    `root`."""
    while root in folder.parents:
        try:
            if stat.S_IMODE(folder.stat().st_mode) != 0o700:
                return
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent

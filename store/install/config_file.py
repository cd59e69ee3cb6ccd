"""A configuration file and its backup, on their way from one content to another; and what we put into
configurations that are others' too, as bytes: put in, and taken out again.
"""

from __future__ import annotations

import codecs
import difflib
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from ..database.files import atomic
from ..platform.errors import ConfigurationError
from ..platform.regular_file import read_regular
from ..records.dataclasses import dataclass
from ..records.dataclasses import replace as with_other

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
            before = Content(_read_file(target), _read_file(_backup_of(path)))
            after = plan(before)
            if dry_run or before == after or _write(path, target, before, after, root):
                return Change(path, before.file, after.file)
    raise ConfigurationError(
        "{path} is being written by another program; nothing was changed. Try again.", path=path
    )


def read(path: Path) -> Content:
    """The content of a file and of its backup; ConfigurationError where they can't be read."""
    with _explain_errors(path):
        return Content(_read_file(path.resolve()), _read_file(_backup_of(path)))


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


Plan = Callable[[Content], Content]
"""What becomes of a file and its backup."""


class Splice(Protocol):
    """Something of ours in the text of a configuration.

    Each method but the last raises ValueError with a sentence where the text isn't shaped as agents
    want.
    """

    def put(self, text: str) -> str:
        """Return the text with ours in it, where it stands if it is there already."""

    def take(self, text: str, original: str | None = None) -> str:
        """Return the text without ours, and without what only that had needed; `original` is what it
        was before: what was empty then stays."""

    def found_in(self, text: str) -> Splice | None:
        """Return ours as it stands in the text; None where it doesn't."""

    def check(self, text: str) -> None:
        """Raise ValueError where the text can't be understood."""

    def is_bare(self, text: str) -> bool:
        """Return whether nothing is left but what we begin a new file with; a comment is something."""


def install_plan(path: Path, splices: Sequence[Splice], *, saves_all: bool = True) -> Plan:
    """A plan that puts all of these into a file; the backup holds the bytes from before the first.

    Without `saves_all` there is only a backup where what was put in couldn't be taken out to the byte
    without it: of a file that an agent itself keeps writing, that would soon be an old copy.
    """

    def plan(present: Content) -> Content:
        text, mark = _decoded(path, present.file)
        with refusing(path):
            after = _with_all(text, splices)
            content = mark + after.encode()
            if present.file is None or content == present.file:
                return with_other(present, file=content)
            ours = _found(text, splices)
            if not ours:
                # Beside hooks of ours, what was before them is in the backup already.
                needed = saves_all or _is_bare(text, splices)
                needed = needed or _without_all(after, splices, None) != text
                return Content(content, present.file if needed else None)
            is_shared = not _is_bare(_without_all(text, ours, None), splices)
        is_kept = saves_all and is_shared and present.backup is None
        return Content(content, present.file if is_kept else present.backup)

    return plan


def uninstall_plan(path: Path, splices: Sequence[Splice]) -> Plan:
    """A plan that takes all of these out: it restores the very bytes from before them where nobody else
    has changed the file, and leaves no file where there was none."""

    def plan(content: Content) -> Content:
        if content.file is None:
            return Content(None)
        text, mark = _decoded(path, content.file)
        with refusing(path):
            ours = _found(text, splices)
            if not ours:
                return with_other(content, backup=None)
            original = readable(content.backup, splices)
            if original is not None and not _found(original, splices):
                before, mark_before = _decoded(path, content.backup)
                if mark_before + _with_all(before, ours).encode() == content.file:
                    return Content(content.backup)
            after = _without_all(text, ours, original)
            if content.backup is None and _is_bare(after, splices):
                return Content(None)
        return Content(mark + after.encode())

    return plan


def readable(content: bytes | None, splices: Sequence[Splice]) -> str | None:
    """The text of a file that can be understood, or is empty; None for any other."""
    if content is None:
        return None
    try:
        text = content.removeprefix(codecs.BOM_UTF8).decode()
        if text.strip():
            for splice in splices:
                splice.check(text)
    except ValueError:
        return None
    return text


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Say of a file that can't be understood which it is, and what to do."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            "{path} can't be changed, for it is not UTF-8 ({reason}); it was left as it "
            "was. Save it as UTF-8, then do this again.",
            path=path,
            reason=error.reason,
        ) from error
    except ValueError as error:
        raise ConfigurationError(
            "{path} can't be changed, {error}; it was left as it was. Fix it, then do this again.",
            path=path,
            error=error,
        ) from error


def _backup_of(path: Path) -> Path:
    """The path of the backup: the bytes from before the first install."""
    return path.with_name(path.name + ".memtui-backup")


def _write(path: Path, target: Path, before: Content, after: Content, root: Path) -> bool:
    """Write both files; False where one has changed since it was read."""
    backup = _backup_of(path)
    if after.backup not in (None, before.backup) and not _write_if_unchanged(
        backup, after.backup, before.backup
    ):
        return False
    if after.file is not None and after.file != before.file:
        if not _write_if_unchanged(target, after.file, before.file):
            return False
    elif after.file is None:
        if _read_file(target) != before.file:
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


def _read_file(path: Path) -> bytes | None:
    """A file's content; None where there is none, ConfigurationError for what is no file."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(kind):
        raise ConfigurationError("{path} is not a plain file; it was left as it was. Move it.", path=path)
    return read_regular(path)


def _write_if_unchanged(path: Path, content: bytes, expected: bytes | None) -> bool:
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
        if _read_file(path) != expected:
            return False
        try:
            # A new file never takes the place of what appeared meanwhile.
            atomic.publish(made, path, replace=expected is not None, durable=False)
        except FileExistsError:
            return False
    atomic.sync(path.parent)
    return True


def _decoded(path: Path, content: bytes | None) -> tuple[str, bytes]:
    """The text of a file and the mark before it; of a missing file, none."""
    result = content or b""
    mark = codecs.BOM_UTF8 if result.startswith(codecs.BOM_UTF8) else b""
    with refusing(path):
        return result[len(mark) :].decode(), mark


def _found(text: str, splices: Sequence[Splice]) -> list[Splice]:
    return [item for splice in splices if (item := splice.found_in(text)) is not None]


def _with_all(text: str, splices: Sequence[Splice]) -> str:
    for splice in splices:
        text = splice.put(text)
    return text


def _without_all(text: str, splices: Sequence[Splice], original: str | None) -> str:
    for splice in reversed(splices):
        text = splice.take(text, original)
    return text


def _is_bare(text: str, splices: Sequence[Splice]) -> bool:
    return any(splice.is_bare(text) for splice in splices)

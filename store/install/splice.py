"""What we put into configurations that are others' too, as bytes: put in, and taken out again."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from ..errors import ConfigurationError
from ..records.dataclasses import replace as with_other
from .config_file import Content

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
        text, mark = decoded(path, present.file)
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
        text, mark = decoded(path, content.file)
        with refusing(path):
            ours = _found(text, splices)
            if not ours:
                return with_other(content, backup=None)
            original = readable(content.backup, splices)
            if original is not None and not _found(original, splices):
                before, mark_before = decoded(path, content.backup)
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


def decoded(path: Path, content: bytes | None) -> tuple[str, bytes]:
    """The text of a file and the mark before it; of a missing file, none."""
    result = content or b""
    mark = codecs.BOM_UTF8 if result.startswith(codecs.BOM_UTF8) else b""
    with refusing(path):
        return result[len(mark) :].decode(), mark


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

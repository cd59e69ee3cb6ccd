"""An agent's JSON configuration as bytes: what installing and uninstalling make of it."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace as with_other
from pathlib import Path

from ..capture.events import Agent
from ..errors import ConfigurationError
from .command import still_works
from .config_file import Condition, Content
from .json_hooks import handlers, is_complete, with_hooks, without_hooks
from .jsonc import parse
from .registrations import REGISTRATIONS, Registration

Plan = Callable[[Content], Content]


def installing(path: Path, agent: Agent, command: str) -> Plan:
    """Adds our hooks. The backup holds the bytes from before the first of them."""
    registration = _registration(path, agent)

    def plan(found: Content) -> Content:
        text, mark = _decoded(path, found.file)
        with _refusing(path):
            after = mark + with_hooks(text, agent, registration, command).encode()
            is_first = not handlers(text, agent)
            is_shared = not is_first and not _is_bare(without_hooks(text, agent), registration)
        if found.file is None or after == found.file:
            return with_other(found, file=after)
        is_kept = is_first or (is_shared and found.backup is None)
        return Content(after, found.file if is_kept else found.backup)

    return plan


def uninstalling(path: Path, agent: Agent) -> Plan:
    """Removes our hooks: the very bytes from before them where nobody else has changed the file,
    and no file where there was none."""
    registration = _registration(path, agent)

    def plan(found: Content) -> Content:
        if found.file is None:
            return Content(None)
        text, mark = _decoded(path, found.file)
        with _refusing(path):
            ours = handlers(text, agent)
            if not ours:
                return with_other(found, backup=None)
            original = _readable(found.backup)
            if original is not None and not handlers(original, agent):
                again = installing(path, agent, ours[0].command)(Content(found.backup))
                if again.file == found.file:
                    return Content(found.backup)
            after = without_hooks(text, agent, original)
            if found.backup is None and _is_bare(after, registration):
                return Content(None)
        return Content(mark + after.encode())

    return plan


def condition(path: Path, agent: Agent, content: bytes | None) -> Condition:
    """Whether our hooks are in a file of this content."""
    registration = _registration(path, agent)
    text = _readable(content) if content is not None else ""
    if text is None:
        return "unreadable"
    ours = handlers(text, agent)
    if not ours:
        return "no"
    works = is_complete(text, agent, registration)
    return "yes" if works and all(still_works(one.command) for one in ours) else "outdated"


def _registration(path: Path, agent: Agent) -> Registration:
    registration = REGISTRATIONS[agent]
    # A file of settings has no version; one of hooks begins with it.
    return with_other(registration, header={}) if "settings" in path.name else registration


def _is_bare(text: str, registration: Registration) -> bool:
    """Whether nothing is left but what we begin a new file with; a comment is something."""
    return "".join(text.split()) in ("{}", json.dumps(registration.header, separators=(",", ":")))


def _decoded(path: Path, content: bytes | None) -> tuple[str, bytes]:
    """The text of a file and the mark before it; of a missing file, none."""
    found = content or b""
    mark = codecs.BOM_UTF8 if found.startswith(codecs.BOM_UTF8) else b""
    with _refusing(path):
        return found[len(mark) :].decode(), mark


def _readable(content: bytes | None) -> str | None:
    """The text of a file that holds JSON, or nothing; None where it can't be read."""
    if content is None:
        return None
    try:
        text = content.removeprefix(codecs.BOM_UTF8).decode()
        if text.strip():
            parse(text)
    except ValueError:
        return None
    return text


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path} can't be changed, for it is not UTF-8 ({error.reason}); it was left as it "
            "was. Save it as UTF-8, then do this again."
        ) from error
    except ValueError as error:
        raise ConfigurationError(
            f"{path} can't be changed, {error}; it was left as it was. Mend it, then do this again."
        ) from error

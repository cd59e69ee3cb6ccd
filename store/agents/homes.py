"""Where agents keep their files on this machine, what these files' settings say, and reading them: regular
files only, at most so many bytes, and never what may hold keys.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..platform.regular_file import open_regular
from ..records.dataclasses import dataclass
from ..text.jsonc import parse
from .registry import agent_called

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class AgentHomes:
    """The home directory, and the environment's variables, by which agents find their files.

    `system` is what stands for the file system's root where managed files are looked for.
    """

    home: Path
    environment: Mapping[str, str]
    system: Path = Path("/")

    @classmethod
    def own(cls) -> AgentHomes:
        """Return those of this process."""
        return cls(Path.home().resolve(), dict(os.environ))

    def folder_of(self, agent: str) -> Path:
        """Return the directory that an agent keeps in the home directory or where a variable says. KeyError
        for an agent that isn't known."""
        known = agent_called(agent)
        if known is None:
            raise KeyError(agent)
        return known.folders(self.home, self.environment)[0]

    def claude_settings(self, folder: Path) -> list[dict[str, Any]]:
        """Return Claude Code's settings for a session in a folder, what counts most first: managed,
        local, project, user."""
        places = (
            self.system / "etc/claude-code/managed-settings.json",
            folder / ".claude/settings.local.json",
            folder / ".claude/settings.json",
            self.folder_of("claude-code") / "settings.json",
        )
        return [read_json(place) for place in places]

    def codex_settings(self) -> dict[str, Any]:
        """Return Codex's configuration, nothing where it can't be read."""
        # Not worth its import to whoever only asks where an agent's files lie.
        import tomllib

        try:
            return tomllib.loads(read_text(self.folder_of("codex") / "config.toml") or "")
        except (ValueError, RecursionError):
            return {}

    def gemini_settings(self, folder: Path) -> list[dict[str, Any]]:
        """Return Gemini CLI's settings for a session in a folder, what counts most first."""
        own = self.folder_of("gemini") / "settings.json"
        return [read_json(folder / ".gemini/settings.json"), read_json(own)]

    def expanded(self, text: str, base: Path) -> Path:
        """Return the path that a text means: `~/` is the home directory, else it starts at a folder."""
        if text == "~" or text.startswith("~/"):
            return self.home / text[2:]
        return base / text


SHOWN = 4 << 20
"""Bytes that are read of a file to show or tell it."""

DENIED = re.compile(
    r"/(?:file-history|shell-snapshots|session-env|paste-cache|image-cache|\.claude/(?:debug|uploads)|\.ssh|\.gnupg)/"
    r"|/(?:auth|\.?credentials|oauth_creds)\.json$|\.(?:key|pem|p12|pfx|vscdb|sqlite|db)$"
    r"|/\.(?:env(?:\.[^/]*)?|netrc|npmrc|pypirc)$|/id_(?:rsa|dsa|ecdsa|ed25519)$",
    re.IGNORECASE,
)
"""Paths of what is never read, whatever a setting says."""


def is_denied(path: Path | str) -> bool:
    """Return whether a resolved path is one of those that are never read."""
    return DENIED.search(str(path)) is not None


def resolved_path(path: Path) -> Path:
    """Return where a path leads, which may begin with a home directory; the path itself where that can't
    be told."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        return path


def is_file(path: Path) -> bool:
    """Return whether a regular file is at a path that a text may name: what no file can be called isn't."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_bytes(path: Path, most: int = SHOWN) -> bytes | None:
    """Return the first bytes of a regular file; None where there is none that may be read."""
    try:
        if is_denied(path.resolve()):
            return None
        with open_regular(path) as file:
            return file.read(most)
    except (OSError, ValueError, RuntimeError):
        return None


def read_text(path: Path, most: int = SHOWN) -> str | None:
    """Return the text of a regular file without a mark of byte order and with plain line ends; None
    where there is none that may be read."""
    raw = read_bytes(path, most)
    if raw is None:
        return None
    return raw.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def read_json(path: Path) -> dict[str, Any]:
    """Return the object that a JSON file holds, with comments or without, else an empty one."""
    text = read_text(path) or "null"
    try:
        values = json.loads(text)
    except ValueError:
        try:
            values = parse(text).data
        except (ValueError, RecursionError):
            return {}
    except RecursionError:
        return {}
    return values if isinstance(values, dict) else {}


def inner(values: object, *names: str) -> Any:
    """Return what stands under names within each other; None where something else is there."""
    for name in names:
        if not isinstance(values, dict):
            return None
        values = values.get(name)
    return values

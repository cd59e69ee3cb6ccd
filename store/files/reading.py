"""Read agents' files: regular ones only, at most so many bytes, and never what may hold keys."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from ..regular_file import open_regular
from ..text.jsonc import parse

if TYPE_CHECKING:
    from pathlib import Path

SHOWN = 4 << 20
"""Bytes that are read of a file to show or tell it."""
INDEXED = 1 << 20
"""Bytes that are read of a file to index or check it."""

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
    except (OSError, RuntimeError):
        return path


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


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds, else nothing."""
    try:
        return tomllib.loads(read_text(path) or "")
    except (ValueError, RecursionError):
        return {}


def inner(values: object, *names: str) -> Any:
    """Return what stands under names within each other; None where something else is there."""
    for name in names:
        if not isinstance(values, dict):
            return None
        values = values.get(name)
    return values

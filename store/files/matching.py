"""Globs of agents' settings and rules, as each agent reads them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def absolute_glob(path: str, patterns: Sequence[str]) -> bool:
    """Return whether one of the globs matches a whole path; a leading dot is like any letter."""
    if not patterns:
        return False
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.EXTGLOB | glob.FORCEUNIX
    return _matches(path, list(patterns), flags=flags, limit=200)


def ignore_glob(name: str, patterns: Sequence[str]) -> bool:
    """Return whether patterns like those of a `.gitignore` match a relative path or a folder above it; the
    last that matches counts, and one that begins with `!` takes out."""
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX
    parts = name.split("/")
    names = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    result = False
    for pattern in patterns:
        is_out = pattern.startswith("!")
        plain = pattern.removeprefix("!").rstrip("/")
        own = flags if "/" in plain else flags | glob.MATCHBASE
        candidates = names[:-1] if pattern.endswith("/") else names
        if any(_matches(candidate, [plain.removeprefix("/")], flags=own) for candidate in candidates):
            result = not is_out
    return result


def _matches(path: str, patterns: list[str], flags: int, limit: int = 1_000) -> bool:
    from wcmatch import glob

    # One that stands for too many others, or for none that can be compared, matches nothing.
    try:
        return bool(glob.globmatch(path, patterns, flags=flags, limit=limit))
    except Exception:
        return False


@cache
def compiled(patterns: tuple[str, ...]) -> Callable[[str], object] | None:
    """Return what says whether one of the globs may match a relative path, of which a bare name is looked
    for in any folder, and a folder stands for what is in it; None where they can't be compared."""
    from wcmatch import glob

    every: list[str] = []
    for pattern in patterns:
        plain = pattern.removeprefix("!").removeprefix("/").rstrip("/")
        every += [plain, f"{plain}/**"] if "/" in plain else [f"**/{plain}", f"**/{plain}/**"]
    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.EXTGLOB | glob.FORCEUNIX
    try:
        expressions, _ = glob.translate(every, flags=flags, limit=400)
        return re.compile("|".join(f"(?:{expression})" for expression in expressions)).match
    except Exception:
        return None


def files_glob(name: str, patterns: Sequence[str]) -> bool:
    """Return whether one of the globs matches a relative path as a whole."""
    return absolute_glob(name, [pattern.removeprefix("/") for pattern in patterns])

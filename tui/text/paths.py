"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path


def short(path: Path) -> str:
    """Return a path with the home directory as `~`."""
    home = Path.home()
    return str("~" / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def shortened(command: str) -> str:
    """Return a shell command with the home directory as `~`, which a shell takes for the same."""
    return command.replace(f"{Path.home()}/", "~/")

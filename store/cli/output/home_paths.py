"""Paths as people read them."""

from __future__ import annotations

from pathlib import Path


def shown_path(path: Path) -> str:
    """Return a path as people read it: from the home directory on."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)

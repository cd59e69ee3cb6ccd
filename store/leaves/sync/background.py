"""Meeting machines in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from ...observe.jobs.spawn import ROOT, START


def sync_command(database: Path, name: str) -> list[str]:
    """The arguments of a process that meets a place, asks nobody anything, and prints what came of it as
    JSON."""
    return [
        sys.executable, "-I", "-c", START, ROOT, "--db", str(database.absolute()), "--json",
        "sync", "--unattended", "--", name,
    ]  # fmt: skip

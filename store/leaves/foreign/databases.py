"""Where other programs keep their databases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

USUAL_DATABASES = {
    "claude-mem": ("CLAUDE_MEM_DATA_DIR", ".claude-mem", "claude-mem.db"),
    "engram": ("ENGRAM_DATA_DIR", ".engram", "engram.db"),
}
"""By program, where its database is: the variable that names the folder, the folder in the home
directory without it, and the file."""


def find_databases(home: Path, environment: Mapping[str, str]) -> dict[str, Path]:
    """Return the databases of other programs that are where these keep them, by program."""
    places = {
        program: Path(environment.get(variable) or home / folder) / name
        for program, (variable, folder, name) in USUAL_DATABASES.items()
    }
    return {program: path for program, path in places.items() if path.is_file()}

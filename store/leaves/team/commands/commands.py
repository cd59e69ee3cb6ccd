"""The group of the commands of `mem team`."""

from __future__ import annotations

from ....cli.command import group

app = group(
    "Share memories with a team, on a PostgreSQL of yours; `mem sync team` meets it.\n\n"
    "Nothing is shared until `mem team share` says so. `pip install 'memtui[team]'` brings the driver."
)

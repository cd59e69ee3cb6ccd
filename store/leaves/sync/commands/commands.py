"""The group of the commands of `mem sync`."""

from __future__ import annotations

from ....cli.command import group

app = group(
    "Keep this store in step with those of other machines, by ssh or a folder.\n\n"
    "`mem sync` alone meets all machines that were added; `mem sync NAME` some.",
    alone="all",
)

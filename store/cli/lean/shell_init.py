"""`mem shell-init SHELL`: prints what a shell reads at each of its starts, so typer isn't imported."""

from __future__ import annotations

import sys

SHELLS = ("zsh", "bash", "fish")
FOLDER = __file__.rpartition("/lean/")[0] + "/shell"


def run(arguments: list[str]) -> bool:
    """Print the script that a command line asks for; return False, nothing printed, if it isn't plain."""
    if len(arguments) != 2 or arguments[0] != "shell-init" or arguments[1] not in SHELLS:
        return False
    sys.stdout.write(script(arguments[1]))
    sys.stdout.flush()
    return True


def script(shell: str) -> str:
    """Return the lines that a shell evaluates: the key that picks, and completion."""
    parts = []
    for folder in (FOLDER, f"{FOLDER}/completion"):
        with open(f"{folder}/mem.{shell}", encoding="utf-8") as file:  # noqa: PTH123 - pathlib is slow
            parts.append(file.read())
    return "\n".join(parts)

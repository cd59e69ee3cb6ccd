"""How an agent's shell calls `mem`: by its name where that is found, else by its path."""

from __future__ import annotations

import os
import sys

NAME = "mem.exe" if os.name == "nt" else "mem"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:\\~@%,=")


def mem_command() -> str:
    """Return `mem` where it is on the PATH of this process, which is the agent's; else the path of the
    one beside this interpreter, quoted where a shell wants it to be."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and os.access(f"{folder}/{NAME}", os.X_OK):
            return "mem"
    # A link is not followed: the interpreter of an environment is one.
    path = f"{os.path.dirname(sys.executable)}/{NAME}"  # noqa: PTH120 - pathlib takes long to import
    return _quoted(path) if os.access(path, os.X_OK) else "mem"


def _quoted(path: str) -> str:
    if all(letter in PLAIN or letter > "\x7f" for letter in path):
        return path
    if os.name == "nt":
        return f'"{path}"'
    return "'" + path.replace("'", "'\\''") + "'"

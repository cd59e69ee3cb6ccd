"""How an agent's shell calls `mem`: by its name where that is found, else by its path."""

from __future__ import annotations

import posix
import sys

NAME = b"mem"
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:\\~@%,=")


def mem_command() -> str:
    """Return `mem` where it is on the PATH of this process, which is the agent's; else the path of the
    one beside this interpreter, quoted where a shell wants it to be."""
    for folder in posix.environ.get(b"PATH", b"").split(b":"):
        if folder and posix.access(folder + b"/" + NAME, posix.X_OK):
            return "mem"
    # A link is not followed: the interpreter of an environment is one.
    path = f"{sys.executable.rpartition('/')[0]}/{NAME.decode()}"
    return _quoted(path) if posix.access(path, posix.X_OK) else "mem"


def _quoted(path: str) -> str:
    if all(letter in PLAIN or letter > "\x7f" for letter in path):
        return path
    return "'" + path.replace("'", "'\\''") + "'"

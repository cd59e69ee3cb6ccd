"""The command that starts our MCP server, and how it is recognized in a configuration."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...translation import _
from ..launcher import Launcher

NAME = "memtui"
"""What our server is called in agents' configurations."""

PROGRAM = re.compile(r"(?:^|[\\/])store[\\/]cli[\\/]mem\.py$")
BY_HAND = re.compile(r"(?:^|[\\/])mem(?:\.exe)?$")


def server_words(launcher: Launcher, database: Path | None = None) -> tuple[str, ...]:
    """The command as separate words. `database` is named in it, unless None: the user's own.

    The interpreter looks neither at the variables that agents pass on nor at where they run it.
    """
    words = (str(launcher.python), "-E", "-P", str(launcher.program), "mcp")
    return words if database is None else (*words, "--db", str(database))


def is_ours(words: Sequence[str]) -> bool:
    """Whether a command starts our server, in whatever spelling, one written by hand too."""
    return "mcp" in words and (
        any(PROGRAM.search(word) for word in words) or bool(BY_HAND.search(words[0]))
    )


def words_of_entry(entry: Mapping[str, object]) -> tuple[str, ...]:
    """The command that an entry of any agent's names, as separate words; none where it names none."""
    command, arguments = entry.get("command"), entry.get("args", [])
    head = command if isinstance(command, list) else [command]
    words = [*head, *(arguments if isinstance(arguments, list) else [])]
    return tuple(words) if all(isinstance(word, str) for word in words) else ()


def fault_of_server(words: Sequence[str]) -> str:
    """Say in a few words why our server can't be started; `` where nothing is seen to be amiss."""
    if shutil.which(words[0]) is None:
        return _("{words} is gone", words=words[0])
    for word in words:
        if PROGRAM.search(word) and not Path(word).is_file():
            return _("{word} is gone", word=word)
    return ""

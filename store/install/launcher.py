"""The command that agents run at each event, and how it is recognized in a configuration.

What agents run has to end with 0 and say nothing, whatever is gone: so a shell runs the rest as
words of its own, without any syntax that another shell could read otherwise. A form for each shell
would save 0.7 ms, and one of them would be wrong as soon as another agent read these settings.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from .. import capture
from ..agents.registry import BY_NAME
from ..errors import ConfigurationError
from ..events import AgentName
from ..records.dataclasses import dataclass

GUARD = ("/bin/sh", "-c", '{ "$@"; } 2>/dev/null || :', "memtui")
"""Runs the words behind it, and does nothing, in silence, where that can't be done.

Whatever becomes of the interpreter, the script or the package, the agent is told that all is well: a
status of 2 would block some agents, 1 and 127 others. As words of their own they mean the same to each
shell (of a login, as Codex takes, too), and to an agent that takes none.
"""


@dataclass(frozen=True, slots=True)
class Launcher:
    """The interpreter and the script that an agent starts at each event."""

    python: Path
    script: Path

    @classmethod
    def here(cls) -> Launcher:
        """Those of this very installation; an upgrade in place leaves them where they are."""
        if not sys.executable:
            raise ConfigurationError(
                "It is unknown which Python this is. Run `mem` from where it was installed."
            )
        return cls(_python(), Path(capture.__path__[0]).absolute() / "hook.py")

    @property
    def program(self) -> Path:
        """The script that is `mem`, for what agents start beside hooks."""
        return self.script.parent.parent / "cli" / "mem.py"

    def arguments(self, agent: AgentName, database: Path | None = None) -> tuple[str, ...]:
        """The command as separate words. `database` is named in it, unless None: the user's own."""
        command = (str(self.python), "-I", "-S", str(self.script), agent)
        return command if database is None else (*command, "--db", str(database))

    def command(self, agent: AgentName, database: Path | None = None) -> str:
        """The command as a shell takes it: one that can't fail."""
        return " ".join(map(_quoted, (*GUARD, *self.arguments(agent, database))))


def _quoted(word: str) -> str:
    """Return a word as every shell takes it."""
    if "\\" not in word:
        return shlex.quote(word)
    # Fish takes a backslash between single quotes for an escape where others don't: none stands there.
    parts = re.split(r"([\\'])", word)
    return "".join(f"\\{part}" if part in ("\\", "'") else shlex.quote(part) for part in parts if part)


def is_ours(command: str, agent: AgentName) -> bool:
    """Whether a command is one of ours for this agent, in any spelling there ever was."""
    names = "|".join((agent, *BY_NAME[agent].aliases))
    return bool(
        re.search(rf"""(?:^|[\\/ "'])mem(?:\.exe)?["']? hook (?:{names})\b""", command)
        or re.search(rf"""[\\/]store[\\/]capture[\\/]hook\.py["']?\s+["']?(?:{names})\b""", command)
    )


def words_of(command: str) -> tuple[tuple[str, ...], bool]:
    """The words of what a command of ours runs, and whether it can't fail; none where no shell would
    understand it."""
    try:
        words = tuple(shlex.split(command))
    except ValueError:
        return (), False
    is_guarded = words[: len(GUARD)] == GUARD
    return words[len(GUARD) :] if is_guarded else words, is_guarded


def _python() -> Path:
    # Whether this runs as python, python3 or python3.11 depends on who started it, and Codex no
    # longer trusts a command that is spelled otherwise.
    plain = Path(sys.prefix, "bin", "python")
    if sys.prefix != sys.base_prefix and plain.exists():
        return plain
    return Path(sys.executable).absolute()

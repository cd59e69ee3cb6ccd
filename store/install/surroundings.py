"""Where each agent's programs, data and configuration lie; and the command that agents run at each event,
and how it is recognized in a configuration.

What agents run has to end with 0 and say nothing, whatever is gone: so a shell runs the rest as words of
its own, without any syntax that another shell could read otherwise. A form for each shell would save 0.7
ms, and one of them would be wrong as soon as another agent read these settings.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from .. import capture
from ..agents.registry import BY_NAME
from ..platform.errors import ConfigurationError
from ..platform.paths import repository_root
from ..records.dataclasses import dataclass, field
from ..records.events import AgentName


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A user's home directory and environment; by default those of this process."""

    home: Path = field(default_factory=Path.home)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def files(self, agent: AgentName, project: Path | None = None) -> tuple[Path, ...]:
        """The configuration that takes an agent's hooks: the user's, or that of a repository.

        More than one of an agent whose editions or events have their own.
        """
        if project is not None:
            return BY_NAME[agent].project_configurations(project)
        return BY_NAME[agent].configurations(self.home, self.environment)

    def is_found(self, agent: AgentName) -> bool:
        """Whether the agent seems to be on this machine: its program, or a directory it keeps."""
        path = self.environment.get("PATH", os.defpath)
        if any(shutil.which(name, path=path) for name in BY_NAME[agent].programs):
            return True
        ours = self._installed_files()
        return any(
            folder.is_dir() and not _is_made_by_us(folder, ours)
            for folder in BY_NAME[agent].folders(self.home, self.environment)
        )

    def _installed_files(self) -> frozenset[Path]:
        """Every file that installing may write: some agents' lie in the directory of another."""
        return frozenset(
            path
            for known in BY_NAME.values()
            for path in (
                *self.files(known.name),
                *known.server_configurations(self.home, self.environment),
                *(path for _, path in known.own_files(self.home, self.environment)),
            )
        )


def repository(folder: Path) -> Path:
    """The root of the repository that a directory is in; ConfigurationError where it is in none."""
    if root := repository_root(str(folder)):
        return Path(root)
    raise ConfigurationError(
        "{folder} is in no git repository. Go to the project's own directory, or "
        "install for all projects: without --project.",
        folder=folder,
    )


GUARD = ("/bin/sh", "-c", '{ "$@"; } 2>/dev/null || :', "memtui")
"""Runs the words behind it, and does nothing, in silence, where that can't be done.

Whatever becomes of the interpreter, the script or the package, the agent is told that all is well: a
status of 2 would block some agents, 1 and 127 others. As words of their own they mean the same to each
shell (of a login, as Codex takes, too), and to an agent that takes none.
"""


CACHES = frozenset((".cache", "Caches", "archive-v0"))
"""The user's directory of caches, as it is called on Linux and on a Mac, and the one in uv's own, which may
lie elsewhere."""


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
    def is_passing(self) -> bool:
        """Whether it lies in a cache, as what `uvx` and `pipx run` start does: it will be gone."""
        return not CACHES.isdisjoint(self.python.parts)

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


def _is_made_by_us(folder: Path, ours: frozenset[Path]) -> bool:
    """Whether a directory is one that installing made, for our eyes only, and holds nothing but
    files of ours."""
    try:
        inner = list(folder.iterdir()) if stat.S_IMODE(folder.stat().st_mode) == 0o700 else []
    except OSError:
        return False
    return bool(inner) and all(
        path in ours or (path.is_dir() and _is_made_by_us(path, ours)) for path in inner
    )


def _quoted(word: str) -> str:
    """Return a word as every shell takes it."""
    if "\\" not in word:
        return shlex.quote(word)
    # Fish takes a backslash between single quotes for an escape where others don't: none stands there.
    parts = re.split(r"([\\'])", word)
    return "".join(f"\\{part}" if part in ("\\", "'") else shlex.quote(part) for part in parts if part)


def _python() -> Path:
    # Whether this runs as python, python3 or python3.11 depends on who started it, and Codex no
    # longer trusts a command that is spelled otherwise.
    plain = Path(sys.prefix, "bin", "python")
    if sys.prefix != sys.base_prefix and plain.exists():
        return plain
    return Path(sys.executable).absolute()

"""Where each agent's programs, data and configuration lie."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from ..agents.registry import BY_NAME
from ..errors import ConfigurationError
from ..events import AgentName
from ..paths import repository_root
from ..records.dataclasses import dataclass, field


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


def repository(folder: Path) -> Path:
    """The root of the repository that a directory is in; ConfigurationError where it is in none."""
    if root := repository_root(str(folder)):
        return Path(root)
    raise ConfigurationError(
        "{folder} is in no git repository. Go to the project's own directory, or "
        "install for all projects: without --project.",
        folder=folder,
    )

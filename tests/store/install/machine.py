"""A machine of its own for every test: a home directory, programs, and an installed memtui."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memtui.store.agents.registry import AGENTS, BY_NAME
from memtui.store.install import (
    AgentState,
    Installed,
    Launcher,
    Surroundings,
    install,
    states,
    uninstall,
)
from memtui.store.records.events import AgentName

HOOKED: tuple[AgentName, ...] = tuple(agent for agent in AGENTS if BY_NAME[agent].takes_hooks)
"""The agents that anything can be installed for."""
JSON_AGENTS = tuple(agent for agent in HOOKED if BY_NAME[agent].plugin is None)


@dataclass(frozen=True)
class Machine:
    """What is installed on it lies below `home`; the repository `project` too."""

    home: Path
    path: Path

    @property
    def project(self) -> Path:
        return self.home / "work" / "atlas"

    @property
    def surroundings(self) -> Surroundings:
        return Surroundings(self.home, {"PATH": str(self.path)})

    def launcher(self, name: str = "venv") -> Launcher:
        """An installation of memtui, made when it is not there."""
        return self.installed_at(name, self.path / name / "lib" / "memtui")

    def installed_at(self, name: str, package: Path) -> Launcher:
        """An installation whose `store` lies in `package`, made when it is not there."""
        found = Launcher(self.path / name / "bin" / "python", package / "store" / "capture" / "hook.py")
        for file, text in (
            (found.python, f'#!/bin/sh\nexec {sys.executable} "$@"\n'),
            (found.script, ""),
            (found.program, ""),
        ):
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
                file.chmod(0o755)
        return found

    def install(self, agent: AgentName, launcher: str = "venv", **more: Any) -> Installed:
        return install(agent, surroundings=self.surroundings, launcher=self.launcher(launcher), **more)

    def uninstall(self, agent: AgentName, **more: Any) -> Installed:
        return uninstall(agent, surroundings=self.surroundings, **more)

    def file(self, agent: AgentName, project: bool = False) -> Path:
        """An agent's configuration; its directory is made."""
        (path, *_) = self.surroundings.files(agent, self.project if project else None)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def state(self, agent: AgentName, project: bool = False) -> AgentState:
        found = states(project=self.project if project else None, surroundings=self.surroundings)
        return next(state for state in found if state.agent == agent)

    def everything(self) -> dict[str, tuple[int, bytes | None]]:
        """Every file and directory of the home, with mode and bytes."""
        return {
            str(path.relative_to(self.home)): (
                path.lstat().st_mode,
                path.read_bytes() if path.is_file() else None,
            )
            for path in self.home.rglob("*")
        }


def commands(path: Path) -> list[str]:
    """Every command that a configuration names, in order."""
    found: list[str] = []

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in ("command", "bash") and isinstance(inner, str):
                    found.append(inner)
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads(path.read_text(encoding="utf-8-sig")))
    return found

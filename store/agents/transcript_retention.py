"""After how many days agents delete their transcripts, by their settings; another number there; and which
transcripts go soon."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..platform.errors import ConfigurationError
from ..platform.regular_file import read_regular
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..text import jsonc
from .homes import AgentHomes, inner

if TYPE_CHECKING:
    from collections.abc import Iterator


SETTINGS: dict[str, tuple[str, ...]] = {
    "claude-code": ("cleanupPeriodDays",),
    "gemini": ("general", "sessionRetention", "maxAge"),
}
"""The agents that delete transcripts by their age, and where their settings.json says by which."""
USUAL_DAYS = 30
"""After how many days each of them does unless its settings say otherwise."""
SOON_DAYS = 7
DAY = 86_400
MOST = 20_000
"""Transcripts of one agent that are looked at."""
SPAN = re.compile(r"(?P<number>\d+)\s*(?P<unit>[hdwm])")
UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30}


def retention_days(here: AgentHomes, agent: str) -> int:
    """Return after how many days an agent deletes transcripts, 0 for never."""
    if agent not in SETTINGS:
        return 0
    if agent == "claude-code":
        for settings in here.claude_settings(here.home):
            given = settings.get("cleanupPeriodDays")
            if isinstance(given, int) and not isinstance(given, bool) and given >= 1:
                return given
        return USUAL_DAYS
    for settings in here.gemini_settings(here.home):
        retention = inner(settings, "general", "sessionRetention")
        if inner(retention, "enabled") is False:
            return 0
        age = inner(retention, "maxAge")
        if isinstance(age, str) and (match := SPAN.fullmatch(age.strip())):
            return max(1, int(int(match["number"]) * UNITS[match["unit"]]))
    return USUAL_DAYS


def with_days(here: AgentHomes, agent: str, days: int) -> tuple[Path, str, str]:
    """Return an agent's settings, what they say ("" where there are none), and what they are to say to keep
    transcripts so long; all else in them stays as it is. Raises ConfigurationError."""
    if agent not in SETTINGS:
        raise ConfigurationError(
            "{agent} deletes no transcripts by their age, as far as is known. {keys} do.",
            agent=agent,
            keys=_(" and ").join(SETTINGS),
        )
    path = here.folder_of(agent) / "settings.json"
    if not path.parent.is_dir():
        raise ConfigurationError(
            "There is no {parent}: {agent} was never started here.", parent=path.parent, agent=agent
        )
    try:
        before = read_regular(path).decode()
    except FileNotFoundError:
        before = ""
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            "{path} can't be read ({error}). It stays as it is.", path=path, error=error
        ) from error
    value: object = days if agent == "claude-code" else f"{days}d"
    names = SETTINGS[agent]
    try:
        text = before if before.strip() else "{}\n"
        for depth in range(len(names)):
            if jsonc.find(text, names[: depth + 1]) is None:
                for name in reversed(names[depth + 1 :]):
                    value = {name: value}
                return path, before, jsonc.append(text, names[:depth], value, names[depth])
        return path, before, jsonc.replace(text, names, value)
    except (ValueError, AssertionError) as error:
        raise ConfigurationError(
            "{path} can't be changed ({error}). It stays as it is.", path=path, error=error
        ) from error


@dataclass(frozen=True, slots=True)
class Expiring:
    """Which transcripts of an agent reach its limit (in days) within seven, each with its age in days,
    their folder, and how many of them are over it already."""

    agent: str
    folder: Path
    days: int
    soon: tuple[tuple[Path, float], ...]
    over: int

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.soon)


def expiring(here: AgentHomes) -> list[Expiring]:
    """Return of each agent what it deletes within seven days."""
    expiring: list[Expiring] = []
    for agent, folder in (("claude-code", "projects"), ("gemini", "tmp")):
        days = retention_days(here, agent)
        base = here.folder_of(agent) / folder
        if not days or not base.is_dir():
            continue
        now = time.time()
        ages = [(path, (now - at) / DAY) for path, at in _transcripts(base, agent)]
        soon = tuple((path, age) for path, age in ages if age >= days - SOON_DAYS)
        if soon:
            over = sum(age >= days for _, age in soon)
            expiring.append(Expiring(agent, base, days, soon, over))
    return expiring


def _transcripts(base: Path, agent: str) -> Iterator[tuple[Path, float]]:
    """Yield each transcript, and when it was changed last, in seconds since the epoch."""
    count = 0
    folders = [entry.path for entry in _entries(str(base)) if entry.is_dir(follow_symlinks=False)]
    for folder in folders:
        place = folder if agent == "claude-code" else f"{folder}/chats"
        for entry in _entries(place):
            if entry.name.endswith((".jsonl", ".json")) and entry.is_file(follow_symlinks=False):
                count += 1
                if count > MOST:
                    return
                try:
                    yield Path(entry.path), entry.stat(follow_symlinks=False).st_mtime
                except OSError:
                    continue


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []

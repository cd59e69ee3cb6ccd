"""What agents delete soon: transcripts, by each agent's own setting."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ....platform.translation import _
from ....records.dataclasses import dataclass
from ....text.plural import count_noun
from ..agent_files import inner, rules_of
from .examined import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..agent_files import AgentHomes
    from .examined import Examined

SOON_DAYS = 7
DAY = 86_400
MOST = 20_000
"""Transcripts of one agent that are looked at."""
SPAN = re.compile(r"(?P<number>\d+)\s*(?P<unit>[hdwm])")
UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30}


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


def retention_days(here: AgentHomes, agent: str) -> int:
    """Return after how many days an agent deletes transcripts, 0 for never."""
    usual = rules_of(agent).retention_days
    if agent == "claude-code":
        for settings in here.claude_settings(here.home):
            given = settings.get("cleanupPeriodDays")
            if isinstance(given, int) and not isinstance(given, bool) and given >= 1:
                return given
        return usual
    for settings in here.gemini_settings(here.home):
        retention = inner(settings, "general", "sessionRetention")
        if inner(retention, "enabled") is False:
            return 0
        age = inner(retention, "maxAge")
        if isinstance(age, str) and (match := SPAN.fullmatch(age.strip())):
            return max(1, int(int(match["number"]) * UNITS[match["unit"]]))
    return usual


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


def of_expiry(examined: Examined) -> Iterator[Finding]:
    """Yield what agents delete within seven days."""
    for entry in expiring(examined.here):
        title = rules_of(entry.agent).title
        days = count_noun(entry.days, "days")
        age = (
            _("older than {days}", days=days)
            if entry.over == entry.count
            else _("within {soon} days of {days}", soon=SOON_DAYS, days=days)
        )
        sentence = (
            _("{agent}: 1 transcript is {age}, and will be deleted", agent=title, age=age)
            if entry.count == 1
            else _(
                "{agent}: {transcripts} are {age}, and will be deleted",
                agent=title,
                transcripts=count_noun(entry.count, "transcripts"),
                age=age,
            )
        )
        yield Finding("expiring", entry.folder, 0, sentence, _("archive them"))

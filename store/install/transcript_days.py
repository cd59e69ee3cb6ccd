"""After how many days agents delete their transcripts, by their settings, and another number there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..leaves.files.checks.expiry import retention_days
from ..platform.errors import ConfigurationError
from ..platform.regular_file import read_regular
from ..platform.translation import _
from ..text import jsonc

if TYPE_CHECKING:
    from pathlib import Path

    from ..leaves.files.agent_files import AgentHomes

KEYS: dict[str, tuple[str, ...]] = {
    "claude-code": ("cleanupPeriodDays",),
    "gemini": ("general", "sessionRetention", "maxAge"),
}
"""The agents that delete transcripts by their age, and where their settings.json says by which."""


def kept_days(here: AgentHomes, agent: str) -> int:
    """Return after how many days an agent deletes transcripts; 0 for never."""
    return retention_days(here, agent) if agent in KEYS else 0


def with_days(here: AgentHomes, agent: str, days: int) -> tuple[Path, str, str]:
    """Return an agent's settings, what they say ("" where there are none), and what they are to say to keep
    transcripts so long; all else in them stays as it is. Raises ConfigurationError."""
    if agent not in KEYS:
        raise ConfigurationError(
            "{agent} deletes no transcripts by their age, as far as is known. {keys} do.",
            agent=agent,
            keys=_(" and ").join(KEYS),
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
    names = KEYS[agent]
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

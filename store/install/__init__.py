"""Agents' configurations: our hooks put in, taken out, and looked at. Prints nothing."""

from .config_file import Change, Condition
from .installer import Installed, agent_named, install, uninstall
from .launcher import Launcher
from .parts.part_states import PART_WORDS, PARTS, Part, PartState
from .states import AgentState, states
from .surroundings import Surroundings, repository

__all__ = [
    "PARTS",
    "PART_WORDS",
    "AgentState",
    "Change",
    "Condition",
    "Installed",
    "Launcher",
    "Part",
    "PartState",
    "Surroundings",
    "agent_named",
    "install",
    "repository",
    "states",
    "uninstall",
]

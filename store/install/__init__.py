"""Agents' configurations: our hooks put in, taken out, and looked at. Prints nothing."""

from .config_file import Change, Condition
from .installer import Installed, agent_named, install, uninstall
from .launcher import Launcher
from .parts.part_states import PARTS, Part, PartState, told_parts
from .states import AgentState, states
from .surroundings import Surroundings, repository

__all__ = [
    "PARTS",
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
    "told_parts",
    "uninstall",
]

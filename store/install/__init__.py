"""Agents' configurations: our hooks put in, taken out, and looked at. Prints nothing."""

from .config_file import Change, Condition
from .installer import Installed, agent_named, install, uninstall
from .launcher import Launcher
from .states import AgentState, states
from .surroundings import Surroundings, repository

__all__ = [
    "AgentState",
    "Change",
    "Condition",
    "Installed",
    "Launcher",
    "Surroundings",
    "agent_named",
    "install",
    "repository",
    "states",
    "uninstall",
]

"""Agents' configurations: our hooks put in, taken out, and looked at. Prints nothing."""

from .agents import Installed, agent_named, install, uninstall
from .command import Launcher
from .config_file import Change, Condition
from .places import Surroundings, repository
from .states import AgentState, states

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

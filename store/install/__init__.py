"""Agents' configurations: our hooks put in, taken out, and looked at. Prints nothing."""

from .agent_states import AgentState, other_memory, remedy, silent_agents, states
from .config_file import Change, Condition
from .installer import Installed, after_installing, agent_named, install, uninstall
from .parts import PART_WORDS, PARTS, Part, PartState
from .surroundings import Launcher, Surroundings, repository

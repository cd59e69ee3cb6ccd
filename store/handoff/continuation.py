"""How a session goes on in another agent: a new one, started where it ran, with what is handed over as its
first prompt."""

from __future__ import annotations

from ..agents.registry import BY_NAME
from ..errors import NotFoundError
from ..formats.transcripts.resumption import Resumption, place, transcripts
from ..links.foreground import find_program
from ..records import Session
from ..store import Store
from ..translation import _
from .brief import handoff_of_session
from .shapes import COLLEAGUE, recipient

IN_ITS_PLACE = str.maketrans("@", "＠")
"""Agents put the files into a prompt that stand in it behind an @: none of what is remembered may."""


def agents_here() -> list[str]:
    """Return the names of the agents that can be started here with a first prompt."""
    return [
        agent.name
        for agent in BY_NAME.values()
        if (command := agent.prompt_command("")) and find_program(command[0])
    ]


def continuation(store: Store, session: Session, to: str) -> Resumption:
    """Return how an agent, by its name, goes on with a session. Raises NotFoundError where there is no such
    agent, or nothing to hand over."""
    name = recipient(to)
    if name == COLLEAGUE:
        raise NotFoundError("A colleague is not an agent. `mem handoff` writes what a colleague reads.")
    agent = BY_NAME[name]
    brief = handoff_of_session(store, session, to=name)
    prompt = f"Go on with the work of an earlier session: {brief.title}.\n\n{brief.text}"
    command = agent.prompt_command(prompt.translate(IN_ITS_PLACE))
    if command is None:
        return Resumption(reason=_("{agent} has no command that begins with a prompt.", agent=name))
    directory, obstacle = place(session, transcripts(session), command[0])
    return Resumption(command, directory, obstacle=obstacle)

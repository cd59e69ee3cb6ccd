"""The prompts of the server, which agents offer as commands: what is known about something, and handing
over."""

from __future__ import annotations

from ..platform.errors import StoreError
from ..records.dataclasses import dataclass
from .protocol import INVALID_PARAMS, Json, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .client import Client
    from .memory import Memory

LONGEST_ARGUMENT = 2_000
HITS = 15


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt: its argument, and what makes its text of it."""

    name: str
    title: str
    description: str
    argument: str
    argument_description: str
    is_required: bool
    text: Callable[[Client, Memory, str], str]

    def as_listed(self) -> Json:
        """Return it as `prompts/list` has it."""
        argument = {
            "name": self.argument,
            "description": self.argument_description,
            "required": self.is_required,
        }
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "arguments": [argument],
        }


def filled(client: Client, memory: Memory, name: str, arguments: object) -> Json:
    """Return a prompt's messages. ProtocolError where there is none of this name, or where its argument
    is missing."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no such prompt. There are {', '.join(PROMPTS)}.")
    values = arguments if isinstance(arguments, dict) else {}
    value = values.get(prompt.argument, "")
    if not isinstance(value, str) or len(value) > LONGEST_ARGUMENT:
        raise ProtocolError(
            INVALID_PARAMS,
            f"{prompt.argument} has to be a text of at most {LONGEST_ARGUMENT:,} characters.",
        )
    if prompt.is_required and not value.strip():
        raise ProtocolError(INVALID_PARAMS, f"{prompt.argument} is missing.")
    try:
        text = prompt.text(client, memory, value.strip())
    except StoreError as error:
        raise ProtocolError(INVALID_PARAMS, str(error)) from error
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt.description, "messages": [message]}


def _what_is_known(_client: Client, memory: Memory, topic: str) -> str:
    from ..context.compact.answer import TOOLS
    from ..context.compact.hits import search_lines

    with memory.reading() as store:
        hits = search_lines(store, topic, limit=HITS, wording=TOOLS)
    return (
        f"What do we know about this: {topic}\n\n"
        "Below is what the memory of earlier sessions has on it. Read in full (get) what matters, search "
        "again with other words where little was found, then say what is known, what was decided and why, "
        f"and what is open. Name the ids it rests on.\n\n{hits.text}"
    )


def _hand_over(client: Client, memory: Memory, session: str) -> str:
    from ..agents.registry import BY_NAME, agent_called
    from ..leaves.handoff.brief import handoff_of_session

    with memory.reading() as store:
        if session:
            result = store.sessions.get(session)
        else:
            live = store.sessions.live(client.agent, client.project(store))
            newest = store.sessions.list(client.project(store) or None, limit=1, ahead_last=True)
            if live is None and not newest:
                raise ProtocolError(INVALID_PARAMS, "There is no session yet. Name one: session.")
            result = live or newest[0].session
        # A client that is no agent we know gets it in a fence, too.
        fenced = next(name for name, agent in BY_NAME.items() if agent.takes_tags)
        reader = client.agent if agent_called(client.agent) else fenced
        brief = handoff_of_session(store, result, to=reader)
    return (
        "Hand this session over to a colleague or another agent who goes on with it. Below is a brief with "
        "the memories it rests on. Check what has changed since, read more where it is thin (timeline, "
        "get), and write it out: the goal, what was done, what was decided and why, what is open and what "
        f"comes next, with the ids.\n\n{brief.text}"
    )


PROMPTS: dict[str, PromptTemplate] = {
    prompt.name: prompt
    for prompt in (
        PromptTemplate(
            "what-is-known",
            "What do we know about …",
            "What the memory has on a topic, to be read and summed up with its sources.",
            "topic",
            "What it is about: words, or a query with filters.",
            True,
            _what_is_known,
        ),
        PromptTemplate(
            "hand-over",
            "Hand over",
            "A brief of a session for whoever goes on with it.",
            "session",
            "The session's id, such as @12; else the one going on here, or the newest.",
            False,
            _hand_over,
        ),
    )
}
"""Every prompt by its name."""

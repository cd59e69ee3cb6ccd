"""The prompts of the server, which agents offer as commands: what is known about something, and handing
over."""

from __future__ import annotations

from ..errors import StoreError
from ..records.dataclasses import dataclass
from .protocol import INVALID_PARAMS, Json, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .service import Service

LONGEST_ARGUMENT = 2_000
HITS = 15


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: its argument, and what makes its text of it."""

    name: str
    title: str
    description: str
    argument: str
    argument_description: str
    is_required: bool
    text: Callable[[Service, str], str]

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


def filled(service: Service, name: str, arguments: object) -> Json:
    """Return a prompt's messages. ProtocolError where there is none of this name, or where its argument
    is missing."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise ProtocolError(
            INVALID_PARAMS, f"There is no such prompt. There are {', '.join(PROMPTS)}."
        )
    given = arguments if isinstance(arguments, dict) else {}
    value = given.get(prompt.argument, "")
    if not isinstance(value, str) or len(value) > LONGEST_ARGUMENT:
        raise ProtocolError(
            INVALID_PARAMS,
            f"{prompt.argument} has to be a text of at most {LONGEST_ARGUMENT:,} characters.",
        )
    if prompt.is_required and not value.strip():
        raise ProtocolError(INVALID_PARAMS, f"{prompt.argument} is missing.")
    try:
        text = prompt.text(service, value.strip())
    except StoreError as error:
        raise ProtocolError(INVALID_PARAMS, str(error)) from error
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompt.description, "messages": [message]}


def _what_is_known(service: Service, topic: str) -> str:
    from ..compact.hits import search_lines
    from ..compact.wording import TOOLS

    with service.memory.reading() as store:
        found = search_lines(store, topic, limit=HITS, wording=TOOLS)
    return (
        f"What do we know about this: {topic}\n\n"
        "Below is what the memory of earlier sessions has on it. Read in full (get) what matters, search "
        "again with other words where little was found, then say what is known, what was decided and why, "
        f"and what is open. Name the ids it rests on.\n\n{found.text}"
    )


def _hand_over(service: Service, session: str) -> str:
    from ..compact.record import records
    from ..compact.wording import TOOLS

    with service.memory.reading() as store:
        if session:
            number = store.sessions.get(session).id
        else:
            own = service.client.session(store, {})
            newest = store.sessions.list(service.client.project(store) or None, limit=1)
            if own is None and not newest:
                raise ProtocolError(INVALID_PARAMS, "There is no session yet. Name one: session.")
            number = own.id if own else newest[0].session.id
        found = records(store, [f"@{number}"], wording=TOOLS)
    return (
        "Write a hand over of this session for a colleague or another agent who goes on with it: the goal, "
        "what was done, what was decided and why, what is open and what comes next, with the files and the "
        f"ids of memories it rests on. Read more with timeline and get.\n\n{found.text}"
    )


PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "what-is-known",
            "What do we know about …",
            "What the memory has on a topic, to be read and summed up with its sources.",
            "topic",
            "What it is about: words, or a query with filters.",
            True,
            _what_is_known,
        ),
        Prompt(
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

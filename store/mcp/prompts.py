"""The prompts of the server, which agents offer as commands: what is known about something, and those of
leaves."""

from __future__ import annotations

from ..platform.errors import StoreError
from ..platform.leaves import offers
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
    known = prompts()
    prompt = known.get(name)
    if prompt is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no such prompt. There are {', '.join(known)}.")
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


WHAT_IS_KNOWN = PromptTemplate(
    "what-is-known",
    "What do we know about …",
    "What the memory has on a topic, to be read and summed up with its sources.",
    "topic",
    "What it is about: words, or a query with filters.",
    True,
    _what_is_known,
)


def prompts() -> dict[str, PromptTemplate]:
    """Return every prompt by its name."""
    return {prompt.name: prompt for prompt in (WHAT_IS_KNOWN, *offers("mcp prompts"))}

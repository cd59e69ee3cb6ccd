"""Define `Tool`, the call that one is made with, and the schemas that several share."""

from __future__ import annotations

from ...records.dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..client import Client
    from ..memory import Memory

    Progress = Callable[[float, float | None, str], None]

Json = dict[str, "Any"]

LONGEST_QUERY = 10_000
LONGEST_TEXT = 1_000_000
"""Characters of what is stored."""
LONGEST_ID = 300
MOST_IDS = 50


def tell_nobody(_done: float, _total: float | None, _what: str) -> None:
    """The progress of a call whose client didn't ask for it."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool: who calls, the memory, what the client says of the call (`_meta`), and what tells
    the client how far it is."""

    client: Client
    memory: Memory
    meta: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress = tell_nobody


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool answers: a text for the model, and the same as plain values by its output schema."""

    text: str
    values: Json


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what clients are told of it, and the function that is called with checked arguments."""

    name: str
    title: str
    description: str
    properties: Json
    required: tuple[str, ...]
    output: Json
    run: Callable[[ToolCall, Mapping[str, Any]], ToolAnswer]
    reads: bool = True
    destroys: bool = False
    repeats: bool = True
    """Whether the same call again changes nothing more."""
    at_hand: bool = False
    """Whether a client that tells its model of some tools by name only should tell all of this one."""

    @property
    def input(self) -> Json:
        """The schema of its arguments."""
        schema: Json = {"type": "object", "properties": self.properties}
        if self.required:
            schema["required"] = list(self.required)
        return schema | {"additionalProperties": False}

    def as_listed(self, *, structured: bool) -> Json:
        """Return it as `tools/list` has it, with the schema of its values where these are told."""
        listed: Json = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input,
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.reads,
                "destructiveHint": self.destroys,
                "idempotentHint": self.repeats,
                "openWorldHint": False,
            },
        }
        if structured:
            listed["outputSchema"] = self.output
        if self.at_hand:
            listed["_meta"] = {"anthropic/alwaysLoad": True}
        return listed


def text(description: str, longest: int = LONGEST_ID) -> Json:
    """Return the schema of a text."""
    return {"type": "string", "description": description, "maxLength": longest}


def texts(description: str, most: int = MOST_IDS, longest: int = LONGEST_ID) -> Json:
    """Return the schema of a list of texts."""
    items = {"type": "string", "maxLength": longest}
    return {"type": "array", "description": description, "items": items, "maxItems": most}


def choice(description: str, *values: str) -> Json:
    """Return the schema of one of some words."""
    return {"type": "string", "description": description, "enum": list(values)}


def number(description: str, low: int, high: int, default: int | None = None) -> Json:
    """Return the schema of a whole number."""
    schema: Json = {"type": "integer", "description": description, "minimum": low, "maximum": high}
    return schema if default is None else schema | {"default": default}


def switch(description: str) -> Json:
    """Return the schema of what is off unless it is said."""
    return {"type": "boolean", "description": description, "default": False}


def output(required: tuple[str, ...], **properties: Json) -> Json:
    """Return the schema of what a tool answers; more may stand in it."""
    return {"type": "object", "properties": properties, "required": list(required)}


def records(description: str, *required: str) -> Json:
    """Return the schema of a list of objects."""
    item: Json = {"type": "object", "properties": {name: {"type": "string"} for name in required}}
    return {
        "type": "array",
        "description": description,
        "items": item | ({"required": list(required)} if required else {}),
    }


PLAIN_TEXT: Json = {"type": "string"}
PLAIN_NUMBER: Json = {"type": "integer"}
PLAIN_TEXTS: Json = {"type": "array", "items": {"type": "string"}}

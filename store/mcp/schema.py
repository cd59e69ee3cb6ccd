"""Check a tool's arguments against its schema, and say what is wrong so that it can be put right.

Of JSON Schema what the tools' own schemas use is known: type, enum, minimum, maximum, maxLength, items,
maxItems, properties, required and additionalProperties.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NOUNS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}
SHOWN = 60
SYNONYMS = {
    "title": "text",
    "content": "text",
    "body": "text",
    "statement": "text",
    "q": "query",
    "question": "query",
    "id": "ids",
    "ids": "id",
    "tokens": "max_tokens",
}
"""Names that others give to arguments, and those they have here, where a tool has them."""


class ArgumentError(Exception):
    """Arguments that a tool can't take; the message says what it takes."""


def check(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Raise ArgumentError for the first argument that isn't as the schema of an object wants it."""
    known: Mapping[str, Any] = schema["properties"]
    for name in arguments:
        if name not in known:
            if (here := SYNONYMS.get(name)) in known:
                raise ArgumentError(f"There is no argument '{name}'; it is called '{here}' here.")
            raise ArgumentError(f"There is no argument {_shown(name)}.{_nearest(name, known)}")
    for name in schema.get("required", ()):
        if name not in arguments:
            wanted = [known[name].get("description", "")]
            if choices := known[name].get("enum"):
                wanted.append(f"It has to be one of {', '.join(choices)}.")
            raise ArgumentError(f"{name} is missing: {' '.join(wanted)}".strip())
    for name, value in arguments.items():
        _check_value(name, known[name], value)


def _check_value(name: str, schema: Mapping[str, Any], value: Any) -> None:
    kind = schema.get("type")
    if kind and not _is_a(kind, value):
        raise ArgumentError(f"{name} has to be {NOUNS[kind]}, not {_shown(value)}.")
    choices = schema.get("enum")
    if choices and value not in choices:
        raise ArgumentError(f"{name} has to be one of {', '.join(choices)}, not {_shown(value)}.")
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        raise ArgumentError(f"{name} has to lie between {low:,} and {high:,}, not {_shown(value)}.")
    longest = schema.get("maxLength")
    if longest is not None and len(value) > longest:
        raise ArgumentError(
            f"{name} has {len(value):,} characters, and {longest:,} are the most. Shorten it."
        )
    most = schema.get("maxItems")
    if most is not None and len(value) > most:
        raise ArgumentError(f"{name} has {len(value):,} items, and {most} are the most.")
    if "items" in schema:
        for place, one in enumerate(value):
            _check_value(f"{name}[{place}]", schema["items"], one)


def _is_a(kind: str, value: Any) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    types: dict[str, type | tuple[type, ...]] = {
        "string": str, "integer": int, "number": (int, float), "array": list, "object": dict,
    }  # fmt: skip
    return isinstance(value, types[kind])


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name[:SHOWN], list(known), 1)
    meant = f" {near[0]} may be meant." if near else ""
    return f"{meant} There are {', '.join(known)}." if known else " None is taken."


def _shown(value: Any) -> str:
    text = repr(value)[: 2 * SHOWN] if not isinstance(value, str) else repr(value[:SHOWN])
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"

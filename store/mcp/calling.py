"""Call a tool: take its arguments by its schema, run it, and have a failure tell the model what to do next.

Where it is plain what is meant, it is taken: "2" or 2.0 for 2, 12 or "12" for ["12"], "Fact" for "fact".
Of JSON Schema what the tools' own schemas use is known: type, enum, minimum, maximum, maxLength, items,
maxItems, properties, required and additionalProperties.
"""

from __future__ import annotations

from ..platform.errors import StoreError
from ..text.late_pattern import late_pattern
from .protocol import INVALID_PARAMS, Json, ProtocolError, meta_of
from .tools import TOOLS
from .tools.tool import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .client import Client
    from .memory import Memory
    from .tools.tool import Progress


LONGEST_ERROR = 1_000


def called(client: Client, memory: Memory, params: Json, progress: Progress) -> Json:
    """Return the result of `tools/call`. ProtocolError where it names no tool."""
    name, arguments = params.get("name"), params.get("arguments")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no such tool. There are {', '.join(TOOLS)}.")
    import apsw

    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return _failed("arguments have to be an object.")
    call = ToolCall(client, memory, meta_of(params), progress)
    try:
        present = {key: value for key, value in arguments.items() if value is not None}
        answer = tool.run(call, taken(tool.input, present))
    except (StoreError, ArgumentError) as error:
        from ..context.compact.answer import TOOLS as WORDING

        return _failed(WORDING.said(error))
    except apsw.InterruptError:
        return _failed("The call was stopped before it was done. Nothing was changed.")
    except apsw.Error as error:
        return _failed(f"The store could not be read ({error}). `mem doctor` looks for the cause.")
    except (UnicodeError, OSError) as error:
        return _failed(f"It could not be done ({error}). Nothing was changed.")
    result: Json = {"content": [{"type": "text", "text": answer.text}], "isError": False}
    # Agents that are sent values show their model these alone: without the fence, at twice the tokens.
    return result | {"structuredContent": answer.values} if memory.structured else result


def _failed(sentence: str) -> Json:
    from ..text.display import safe

    text = safe(sentence[:LONGEST_ERROR])
    return {"content": [{"type": "text", "text": text}], "isError": True}


NOUNS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}
SHOWN = 60
NUMBER = late_pattern(r"\s*-?\d{1,15}(?:\.\d{1,15})?\s*")
LONGEST_NAME = 300
"""Items of a list that are no longer than so many characters are names or ids, and have no commas."""
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


def taken(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the schema of an object wants them. ArgumentError for the first that can't be."""
    properties: Mapping[str, Any] = schema["properties"]
    for name in arguments:
        if name not in properties:
            if (here := SYNONYMS.get(name)) in properties:
                raise ArgumentError(f"There is no argument '{name}'; it is called '{here}' here.")
            raise ArgumentError(f"There is no argument {_shown(name)}.{_nearest(name, properties)}")
    for name in schema.get("required", ()):
        if name not in arguments:
            descriptions = [properties[name].get("description", "")]
            if choices := properties[name].get("enum"):
                descriptions.append(f"It has to be one of {', '.join(choices)}.")
            raise ArgumentError(f"{name} is missing: {' '.join(descriptions)}".strip())
    return {name: _taken(name, properties[name], value) for name, value in arguments.items()}


def _taken(name: str, schema: Mapping[str, Any], value: Any) -> Any:
    kind = schema.get("type")
    value = _meant(schema, value)
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
        return [_taken(f"{name}[{place}]", schema["items"], item) for place, item in enumerate(value)]
    return value


def _meant(schema: Mapping[str, Any], value: Any) -> Any:
    """Return a value in the type that its schema wants, where it is plain; else as it is."""
    kind, is_number = schema.get("type"), type(value) in (int, float)
    if kind == "array":
        return _listed(schema["items"], value)
    if kind in ("integer", "number") and isinstance(value, str) and NUMBER.fullmatch(value):
        value, is_number = float(value) if "." in value else int(value), True
    if is_number and isinstance(value, float) and value.is_integer():
        value = int(value)
    if kind == "string" and is_number:
        return str(value)
    if not isinstance(value, str):
        return value
    word = value.strip().lower()
    if kind == "boolean":
        return {"true": True, "false": False}.get(word, value)
    return next((item for item in schema.get("enum", ()) if item.lower() == word), value)


def _listed(items: Mapping[str, Any], value: Any) -> Any:
    """Return the list that a value stands for: it was written as a text, or has no brackets."""
    if isinstance(value, str):
        if value.strip().startswith("["):
            import json

            try:
                return json.loads(value)
            except (ValueError, RecursionError):
                return [value]
        if items.get("maxLength", 0) <= LONGEST_NAME and "," in value:
            return [text.strip() for text in value.split(",") if text.strip()]
    return [value] if isinstance(value, (str, int, float)) and value != "" else value


def _is_a(kind: str, value: Any) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    types: dict[str, type | tuple[type, ...]] = {
        "string": str, "integer": int, "number": (int, float), "array": list, "object": dict,
    }  # fmt: skip
    return isinstance(value, types[kind])


def _nearest(name: str, properties: Mapping[str, Any]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name[:SHOWN], list(properties), 1)
    meant = f" {near[0]} may be meant." if near else ""
    return f"{meant} There are {', '.join(properties)}." if properties else " None is taken."


def _shown(value: Any) -> str:
    text = repr(value)[: 2 * SHOWN] if not isinstance(value, str) else repr(value[:SHOWN])
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"

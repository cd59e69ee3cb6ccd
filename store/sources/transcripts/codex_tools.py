"""Codex's tools: what a call was given, and what its output says."""

from __future__ import annotations

import re
from typing import TypedDict

from .fields import mapping
from .parts import Record, parsed, text, texts

HEADING = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Exit code|Process exited|Process running|Original token count"
    r"|Total output lines)\b[^\n]*\n)+Output:\n"
)
EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)", re.MULTILINE)


class Call(TypedDict):
    """A call that waits for its output; `tokens` is None until its answer's are told."""

    name: str
    input: object
    failed: bool
    tokens: int | None


def call(kind: str, payload: Record) -> Call | None:
    """The call that an item of a response begins; None where it begins none."""
    if not kind.endswith("_call"):
        return None
    name = text(payload.get("name"))
    given = payload.get("arguments", payload.get("action", payload.get("input")))
    if kind == "function_call":
        given = parsed(given) if isinstance(given, str) else given
        server = text(payload.get("namespace"))
        if server.startswith("mcp__") and not name.startswith(server):
            name = server + name
    elif name == "apply_patch" and isinstance(given, str):
        # As its hook names it, so that one rule reads a patch whichever way it came.
        given = {"command": given}
    return {
        "name": name or kind.removesuffix("_call"),
        "input": given,
        "failed": payload.get("status") in ("failed", "incomplete"),
        "tokens": None,
    }


def outcome(output: object) -> tuple[object, bool]:
    """What a call answered, without what Codex puts around it, and whether it failed."""
    if isinstance(output, dict) and "content" in output:
        said, failed = outcome(output["content"])
        return said, failed or broken(output)
    if isinstance(output, list) and (said := texts(output)):
        return outcome(said)
    if not isinstance(output, str):
        return output, broken(mapping(output))
    wrapped = mapping(parsed(output)) if output.startswith("{") else {}
    if "output" in wrapped:
        return wrapped["output"], broken(wrapped) or broken(mapping(wrapped.get("metadata")))
    if heading := HEADING.match(output):
        code = EXIT.search(heading.group())
        return output[heading.end() :], code is not None and int(code.group(1)) != 0
    return output, broken(wrapped)


def broken(told: Record) -> bool:
    """Whether what is told of a tool's end says that it failed."""
    return (
        told.get("exit_code") not in (None, 0)
        or told.get("success") is False
        or told.get("isError") is True
        or told.get("status") in ("failed", "declined")
    )

"""A tool's output, wherever its agent puts it: its text, its exit code, and whether it failed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...events import ToolUse

TEXTS = (
    "stdout", "stderr", "output", "text", "content", "textResultForLlm", "text_result_for_llm",
    "llmContent", "result", "message", "error", "file", "completed", "summary",
)  # fmt: skip
CODES = ("exit_code", "exitCode", "returncode", "return_code", "exit")

HEADERS = re.compile(
    r"\A\s*(?:<(?:untrusted_context|tool_use_error)>\s*)?"
    r"(?:(?:Error: )?(?:Exit code|Process exited with code|Chunk ID|Wall time|Original token count"
    r"|Total output lines|Command|Directory)\b[^\n]*(?:\n|\Z))*+(?:Output:[ \n])?",
    re.IGNORECASE,
)
"""What agents write above a command's own output."""

FOOTERS = re.compile(
    r"(?:\s*+(?:</(?:untrusted_context|tool_use_error)>|(?:Process Group PGID|Background PIDs|Signal"
    r"|Exit Code|Error):[ ]?+(?:\(none\)|-?+\d*+)"
    r"|<shellId: [\w-]{1,64} completed with exit code 0>))++\s*+\Z",
    re.IGNORECASE,
)
EXIT = re.compile(r"^(?:Error: )?(?:Exit code:?|Process exited with code) (-?\d+)", re.I | re.M)
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
DEEPEST = 3
"""Objects within objects in which an answer's text is looked for."""
HEAD = 600
"""Characters in which an agent's own header stands."""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool answered. `exit_code` is None where nothing tells it; `told` is whether it answered."""

    text: str
    failed: bool
    exit_code: int | None
    told: bool


def read_output(tool: ToolUse) -> ToolOutput:
    """A tool's answer, without what its agent writes around it."""
    response = parse_json(tool.response)
    raw = text_of(response)
    code = exit_code_of(response)
    if code is None and (told := EXIT.search(raw, 0, HEAD)):
        code = int(told[1])
    return ToolOutput(
        strip_envelope(raw),
        tool.failed or says_failed(response) or bool(code),
        code,
        response is not None,
    )


def parse_json(response: object) -> object:
    """A response that is JSON written as a text, as what it says."""
    if isinstance(response, str) and response[:1] in ("{", "["):
        try:
            found = json.loads(response)
        except (ValueError, RecursionError):
            return response
        if isinstance(found, dict | list):
            return found
    return response


def text_of(response: object) -> str:
    """A tool's answer as text: its own text where it has one, else all of it as JSON."""
    if response is None:
        return ""
    if isinstance(response, str):
        found = parse_json(response)
        return response.strip() if isinstance(found, str) else text_of(found)
    if isinstance(response, list):
        return "\n".join(filter(None, map(text_of, response)))
    if isinstance(response, Mapping):
        texts = [response[name] for name in TEXTS if response.get(name)]
        if texts:
            return "\n".join(filter(None, map(text_of, texts)))
        if isinstance(listed := response.get("filenames"), list):
            return "\n".join(filter(None, map(text_of, listed)))
        if any(name in response for name in TEXTS) or "originalFile" in response:
            return ""
        if inner := list(_within(response, DEEPEST)):
            return "\n".join(inner)
    return json.dumps(response, ensure_ascii=False)


def _within(response: Mapping[Any, Any], depth: int) -> Iterator[str]:
    """The texts of the objects within an answer that has none of its own."""
    for value in response.values() if depth else ():
        if isinstance(value, Mapping):
            if any(value.get(name) for name in TEXTS):
                yield text_of(value)
            else:
                yield from _within(value, depth - 1)


def strip_envelope(text: str) -> str:
    """An answer without what agents put above and below it, and without colours."""
    if "\x1b" in text:
        text = ANSI.sub("", text)
    text = text[HEADERS.match(text).end() :] if text else ""  # type: ignore[union-attr]
    tail = text[-HEAD:]
    if found := FOOTERS.search(tail):
        text = text[: len(text) - len(tail) + found.start()]
    return text.strip()


def exit_code_of(response: object) -> int | None:
    """The exit code that an answer tells."""
    if not isinstance(response, Mapping):
        return None
    for place in (response, response.get("metadata")):
        if isinstance(place, Mapping):
            for name in CODES:
                code = place.get(name)
                if isinstance(code, int) and not isinstance(code, bool):
                    return code
    return None


def says_failed(response: object) -> bool:
    """Whether an answer itself tells that the tool failed."""
    if not isinstance(response, Mapping):
        return False
    told: Any = response.get("resultType", response.get("result_type"))
    return bool(
        response.get("is_error")
        or response.get("isError")
        or exit_code_of(response)
        or response.get("success") is False
        or told in ("failure", "error")
        or response.get("status") in ("error", "failed")
        or (isinstance(response.get("error"), str | Mapping) and response["error"])
    )

"""What a tool answered: its own text without what its agent writes around it, and its exit status,
wherever the agent tells it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...records.dataclasses import dataclass
from ...records.events import ToolUse
from ...text.late_pattern import late_pattern

TEXTS = (
    "stdout", "stderr", "output", "text", "content", "textResultForLlm", "text_result_for_llm",
    "llmContent", "result", "message", "error", "file", "completed", "summary",
)  # fmt: skip
CODES = (
    "exit_code", "exitCode", "returncode", "return_code", "returnCode", "exit", "exit_status",
    "exitStatus",
)  # fmt: skip
PLACES = ("metadata", "shellExecution", "success", "failure", "details", "data", "result")
"""Objects within a response that may hold the exit code."""

DEEPEST = 3
"""Objects within objects that are searched for an output's text."""
HEAD = 600
"""Characters in which an agent's own header or footer stands."""

HEADERS = late_pattern(
    r"\A\s*+(?:<(?:untrusted_context|tool_use_error|output|stdout|result)>\s*+)?(?:(?:Error: )?(?:Exit "
    r"code:? ?-?\d++[ \t]*+(?=\n|\Z)|Process exited with code|Process running with session ID"
    r"|Script (?:completed|failed|error:)|Chunk ID|Wall time|Original token count|Total output lines"
    r"|Command execution was not successful|Command executed in terminal|The command (?:completed|exited"
    r"|failed)|Command:|Directory:)[^\n]*+(?:\n|\Z))*+(?:\s*+(?:Command output|Output):(?:\s++```[a-z]*+\n"
    r"|[ \n]))?",
    re.IGNORECASE,
)
"""What agents write above a command's own output."""

FOOTERS = late_pattern(
    r"(?:\s*+(?:</?(?:untrusted_context|tool_use_error|output|stdout|result|bash_metadata)>"
    r"|(?:Process Group PGID|Background PIDs|Signal|Exit Code|Error):[ ]?+(?:\(none\)|-?+\d*+"
    r"|SIG[A-Z]++)(?=\s|</|\Z)|```\s++Command completed in \d++ ?ms\.?+(?:\s++Shell state[^\n]*+)?+"
    r"|<shellId: [\w-]{1,64}+ completed with exit code -?\d++>|<exited with exit code -?\d++>"
    r"|\[(?:The command completed|Process exited|Command (?:exited|completed)) with (?:exit )?code:? "
    r"?-?\d++\.?\]|<(?:exit_code|returncode|return_code)>\s*+-?\d++\s*+</(?:exit_code|returncode"
    r"|return_code)>))++\s*+\Z",
    re.IGNORECASE,
)
"""What agents write below it."""

STATUS = late_pattern(
    r"(?:^|\s|<|\[|>)(?:Error: )?(?:Exit code:?|exit code is|(?:Process|The command|Command) "
    r"(?:exited|completed|finished|failed|terminated) with (?:exit )?(?:code|status):?"
    r"|completed with exit code:?|exited with exit code:?|<?(?:exit_code|returncode|return_code)>"
    r"|exit status:?|exit(?=[ ]\d++\Z)) ?(-?\d++)",
    re.IGNORECASE,
)
LINED_STATUS = late_pattern(r"^Exit Code: (-?\d+)[ \t]*$", re.MULTILINE)
SIGNAL = late_pattern(r"^Signal: (SIG[A-Z]+)[ \t]*$", re.MULTILINE)
CANNOT_RUN = late_pattern(
    r"(?:exec_command failed|execution error|failed in sandbox|command timed out|Command timed out"
    r"|Script failed|Command execution was not successful|Command was (?:cancelled|aborted)"
    r"|The user aborted|Failed to (?:start|spawn|execute) (?:the )?(?:command|process|shell)"
    r"|spawn \S{1,80} ENOENT)"
)
TIMED_OUT = late_pattern(
    r"<bash_metadata>\s*(?:bash tool |shell tool )?terminated command after exceeding timeout"
    r"|command timed out after \d+|<command [^>\n]{0,100}timed out",
    re.IGNORECASE,
)
DECLINED = late_pattern(
    r"\buser (?:has )?(?:doesn't want to|declined|rejected|denied|chose not to|did not allow)"
    r"|(?:rejected|declined|denied) by (?:the )?user",
    re.IGNORECASE,
)
NOT_PERMITTED = late_pattern(
    r"\brequested permissions? to [^\n]{1,150} haven't granted it"
    r"|\bpermission to use [^\n]{1,80} (?:has been|was) denied"
    r"|\bcannot determine the safety of \w+ right now",
    re.IGNORECASE,
)
"""What agents answer in place of a tool that nobody was asked about, and no setting allows."""
INTERRUPTED = late_pattern(
    r"(?:aborted|interrupted|cancell?ed) by (?:the )?user|\buser (?:has )?(?:aborted|interrupted"
    r"|cancell?ed) (?:the |this )?(?:operation|command|tool|call|execution|request|turn)|\b(?:operation"
    r"|command|execution|tool(?: call)?)(?: was)? (?:aborted|interrupted|cancell?ed)\b"
    r"|previous tool was interrupted",
    re.IGNORECASE,
)
"""What agents answer in place of a tool that the user stopped, which is no judgement of it."""
UNFINISHED = late_pattern(
    r"\A\s*(?:Command running in background with ID|Script running with cell ID"
    r"|Process running with session ID|(?:Chunk ID: [^\n]*\n)?(?:Wall time: [^\n]*\n)?Process running with "
    r"session ID|Command is running in (?:the )?background|Command moved to background)"
    r"|<command (?:started in|with shellId: \S{1,64} is still running)[^>\n]{0,200}>\s*\Z",
    re.IGNORECASE,
)
NOTHING = ("(empty)", "(no output)", "(Bash completed with no output)")
"""What agents write where a command printed nothing."""
ANSI = late_pattern(r"\x1b(?:\[[0-9;:?]*[A-Za-z]|[()][A-Z0-9]|[=>]|\][^\x07\x1b]{0,300}(?:\x07|\x1b\\))")


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The output of a tool.

    `failed` is whether it is told to have failed, `succeeded` whether it is told to have not; neither
    where nothing tells. `exit_code` is None where it is unknown; `answered` is whether there was any
    response, `interrupted` whether it was cut off, `running` whether it goes on in the background,
    `never_ended` whether an agent that tells what tools answer told nothing.
    """

    text: str
    failed: bool
    exit_code: int | None
    answered: bool
    succeeded: bool = False
    interrupted: bool = False
    running: bool = False
    never_ended: bool = False


def read_output(tool: ToolUse) -> ToolOutput:
    """Return a tool's output, without what its agent writes around it."""
    response = parse_json(tool.response)
    raw = text_of(response)
    ends = {raw[:HEAD], raw[-HEAD:]}
    running = any(map(UNFINISHED.search, ends)) or (
        isinstance(response, Mapping) and bool(response.get("backgroundTaskId"))
    )
    code = exit_code_of(response) if tool.exit_code is None else tool.exit_code
    header, text, footer = parted(raw)
    if code is None:
        code = _stated_code(raw, header, footer, tool.failed)
    interrupted = (
        (isinstance(response, Mapping) and response.get("interrupted") is True)
        or any(map(TIMED_OUT.search, ends))
        or bool(SIGNAL.search(footer))
        or (tool.failed and code is None and _was_stopped(raw))
    )
    failed = (
        tool.failed
        or says_failed(response)
        or bool(code)
        or interrupted
        or "<tool_use_error>" in header
        or bool(CANNOT_RUN.match(header.strip() or raw[:80].lstrip()))
    )
    succeeded = not failed and not running and (code == 0 or says_succeeded(response))
    answered = response is not None
    return ToolOutput(text, failed, code, answered, succeeded, interrupted, running, tool.never_ended)


def is_unjudged(answer: str) -> bool:
    """Return whether an agent's answer in place of a tool says that its user stopped or declined it, or
    that it wasn't permitted, so that it never failed by itself."""
    return any(pattern.search(answer, 0, 400) for pattern in (INTERRUPTED, DECLINED, NOT_PERMITTED))


def _was_stopped(raw: str) -> bool:
    return bool(INTERRUPTED.search(raw, 0, 200)) and not DECLINED.search(raw, 0, 200)


def _stated_code(raw: str, header: str, footer: str, failed: bool) -> int | None:
    """Return the exit code that an agent's own words around an output state."""
    for words in (footer, header):
        if match := STATUS.search(words):
            return int(match[1])
    if "<untrusted_context>" in header or header.lstrip().startswith(("Command:", "Output:")):
        # Gemini lists the code among other lines, after the output and before an error's text.
        stated = LINED_STATUS.findall(raw[-4 * HEAD :])
        return int(stated[-1]) if stated else None
    if failed and len(raw) < 40 and (match := STATUS.search(raw.strip())):
        return int(match[1])
    return None


def parse_json(response: object) -> object:
    """Return the object or list of a response that is JSON as a text; any other as it is."""
    if isinstance(response, str) and response[:1] in ("{", "["):
        try:
            result = json.loads(response)
        except (ValueError, RecursionError):
            return response
        if isinstance(result, dict | list):
            return result
    return response


def text_of(response: object) -> str:
    """Return a response as text: its own text where it has one, else all of it as JSON."""
    if response is None:
        return ""
    if isinstance(response, str):
        result = parse_json(response)
        return response.strip() if isinstance(result, str) else text_of(result)
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
    """Yield the texts of the objects within a response that has none of its own."""
    for value in response.values() if depth else ():
        if isinstance(value, Mapping):
            if any(value.get(name) for name in TEXTS):
                yield text_of(value)
            else:
                yield from _within(value, depth - 1)


def parted(text: str) -> tuple[str, str, str]:
    """Return what an agent put above an output, the output, and what it put below; all without colours."""
    if "\x1b" in text:
        text = ANSI.sub("", text)
    above = HEADERS.match(text)
    begin = above.end() if above else 0
    below = FOOTERS.search(text, max(begin, len(text) - HEAD))
    end = below.start() if below else len(text)
    output = text[begin:end].strip()
    return text[:begin], "" if output in NOTHING else output, text[end:]


def exit_code_of(response: object) -> int | None:
    """Return the exit code in a response; None where there is none."""
    if not isinstance(response, Mapping):
        return None
    for place in (response, *(response.get(name) for name in PLACES)):
        if isinstance(place, Mapping):
            for name in CODES:
                code = place.get(name)
                if isinstance(code, int) and not isinstance(code, bool):
                    return code
    for part in contents if isinstance(contents := response.get("contents"), list) else ():
        if isinstance(part, Mapping) and isinstance(code := part.get("exitCode"), int):
            return code
    return None


def says_failed(response: object) -> bool:
    """Return whether a response states that the tool failed."""
    if not isinstance(response, Mapping):
        return False
    result: Any = response.get("resultType", response.get("result_type"))
    return bool(
        response.get("is_error")
        or response.get("isError")
        or exit_code_of(response)
        or response.get("success") is False
        or result in ("failure", "error")
        or response.get("status") in ("error", "failed")
        or (isinstance(response.get("error"), str | Mapping) and response["error"])
        or isinstance(response.get("failure"), Mapping)
    )


def says_succeeded(response: object) -> bool:
    """Return whether a response states that the tool did not fail, other than by an exit code.

    Claude Code reports a command's streams apart only where it succeeded.
    """
    if not isinstance(response, Mapping):
        return False
    result: Any = response.get("resultType", response.get("result_type"))
    return (
        ("stdout" in response and "interrupted" in response)
        or response.get("success") is True
        or result == "success"
        or response.get("status") in ("success", "completed")
        or isinstance(response.get("llmContent"), str | list)
    )

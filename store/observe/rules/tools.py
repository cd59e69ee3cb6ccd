"""Agents' tools: what each does, whatever it is called, where its input stands, and what it answered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...events import ToolUse
from ...records.dataclasses import dataclass

READ, EDIT, WRITE, LIST, SEARCH, RUN, WEB, DELEGATE, TODO, PLAN, WAIT, OTHER = (
    "read", "edit", "write", "list", "search", "run", "web", "delegate", "todo", "plan", "wait",
    "other",
)  # fmt: skip

ACTIONS: dict[str, tuple[str, ...]] = {
    READ: (
        "read", "readfile", "readcode", "view", "viewfile", "viewfiles", "viewimage", "notebookread",
        "readmanyfiles", "cat", "showfile", "viewlinerange", "viewcodeitem", "readnotebook",
        "readfiles",
    ),
    EDIT: (
        "edit", "multiedit", "strreplace", "strreplaceeditor", "applypatch", "patch", "replace",
        "notebookedit", "searchreplace", "editfile", "updatefile", "code", "writecode", "editnotebook",
        "replacefilecontent", "proposecode", "editfilefastapply", "applydiff", "insert",
        "strreplacebasededittool",
        "replaceinfile", "renamefile", "editnotebookfile", "insertcontent",
    ),
    WRITE: (
        "write", "writefile", "create", "createfile", "delete", "deletefile", "writetofile", "filewrite",
    ),
    LIST: (
        "glob", "ls", "list", "listdir", "listdirectory", "findfiles", "filesearch", "findbyname",
        "listfiles",
        "toolsearch", "listmcpresources", "listmcpresourcestool", "getworkspacefiles", "globfilesearch",
    ),
    SEARCH: (
        "grep", "searchfilecontent", "searchfiles", "codebasesearch", "rg", "grepsearch",
        "semanticsearch",
        "searchbyregex", "searchcodebase", "grepfiles", "codebaseinvestigator", "lsp", "search",
        "codesearch",
    ),
    RUN: (
        "bash", "shell", "runshellcommand", "execcommand", "runcommand", "runterminalcmd", "terminal",
        "powershell", "localshell", "exec", "runinterminal", "containerexec",
        "executecommand", "shellcommand", "runterminalcommand", "runshell",
    ),
    WEB: (
        "webfetch", "websearch", "fetch", "googlewebsearch", "webrun", "browser", "openurl",
        "searchweb",
        "readurlcontent", "webreader",
    ),
    DELEGATE: (
        "task", "agent", "spawnagent", "skill", "delegate", "subagent", "delegatetoagent", "sendinput",
        "activateskill", "newtask", "waitagent", "multiagentv1waitagent", "sendmessage",
    ),
    TODO: (
        "todowrite", "todoread", "updateplan", "taskcreate", "taskupdate", "tasklist", "taskget",
        "enterplanmode", "writetodos", "updatetodo", "reportintent", "managetodolist", "updatetodolist",
        "todolist", "todo",
    ),
    PLAN: ("exitplanmode", "plan", "savememory", "storememory", "remember"),
    WAIT: (
        "wait", "writestdin", "writebash", "bashoutput", "killshell", "killbash", "readbash",
        "stopbash", "closeagent", "taskoutput",
        "taskstop", "listbash", "commandstatus", "checkcommandstatus", "stopcommand", "openpreview",
    ),
}  # fmt: skip
BY_NAME = {name: action for action, names in ACTIONS.items() for name in names}

PATHS = (
    "file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "filepath",
    "dir_path", "paths", "file_paths", "files", "AbsolutePath", "TargetFile", "filename",
    "relative_workspace_path",
)  # fmt: skip
PATCHES = ("patch", "patchText", "command", "input", "diff")
SUBJECTS = {
    RUN: ("command", "cmd", "command_line", "CommandLine", "input", "script"),
    LIST: ("pattern", "glob", "glob_pattern", "query", "path", "dir_path", "DirectoryPath"),
    SEARCH: ("pattern", "query", "regex", "Query", "objective", "symbol", "search_term", "glob"),
    WEB: ("url", "query", "Url", "search_term", "prompt", "q"),
    DELEGATE: ("description", "skill", "task_name", "message", "task", "prompt", "name"),
    PLAN: ("plan", "fact", "memory", "text", "explanation"),
    TODO: ("subject", "explanation", "description", "taskId"),
    OTHER: ("description", "query", "title", "name", "question", "url", "path"),
}
BEFORE = ("old_string", "old_str", "oldString", "old_text", "old_source")
AFTER = ("new_string", "new_str", "newString", "new_text", "new_source", "code_edit", "insert_text")
CONTENT = ("content", "file_text", "contents", "CodeContent", "text", "new_content")


@lru_cache(maxsize=1_024)
def _action(name: str) -> str:
    plain = name.translate(str.maketrans("", "", "_- ./:")).lower()
    return BY_NAME.get(plain, OTHER)


def action_of(name: str, given: Mapping[str, Any]) -> str:
    """Return what a tool does, by its name; a shell that only applies a patch edits."""
    if name.lower().startswith(("mcp__", "mcp_", "mcp:")):
        return OTHER
    action = _action(name)
    if action == RUN and str(given.get("command", "")).startswith("*** Begin Patch"):
        return EDIT
    if action == EDIT and given.get("command") in ("view", "create"):
        return READ if given["command"] == "view" else WRITE
    return action


def display_name(name: str) -> str:
    """Return a tool's name as it is shown: `github: list commits` for `mcp__github__list_commits`."""
    parts = [part for part in name.removeprefix("mcp").strip("_:").split("__") if part]
    if not name.lower().startswith("mcp") or not parts:
        return name
    return ": ".join((parts[0], *(part.replace("_", " ") for part in parts[1:])))


def first_text(given: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first of these fields that holds a text; "" where none does."""
    for name in names:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


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
"""Objects within objects that are searched for an output's text."""
HEAD = 600
"""Characters in which an agent's own header stands."""


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The output of a tool. `exit_code` is None where it is unknown; `answered` is whether there was any
    response."""

    text: str
    failed: bool
    exit_code: int | None
    answered: bool


def read_output(tool: ToolUse) -> ToolOutput:
    """Return a tool's output, without what its agent writes around it."""
    response = parse_json(tool.response)
    raw = text_of(response)
    code = exit_code_of(response)
    if code is None and (header := EXIT.search(raw, 0, HEAD)):
        code = int(header[1])
    return ToolOutput(
        strip_envelope(raw),
        tool.failed or says_failed(response) or bool(code),
        code,
        response is not None,
    )


def parse_json(response: object) -> object:
    """Return the object or list of a response that is JSON as a text; any other as it is."""
    if isinstance(response, str) and response[:1] in ("{", "["):
        try:
            found = json.loads(response)
        except (ValueError, RecursionError):
            return response
        if isinstance(found, dict | list):
            return found
    return response


def text_of(response: object) -> str:
    """Return a response as text: its own text where it has one, else all of it as JSON."""
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
    """Yield the texts of the objects within a response that has none of its own."""
    for value in response.values() if depth else ():
        if isinstance(value, Mapping):
            if any(value.get(name) for name in TEXTS):
                yield text_of(value)
            else:
                yield from _within(value, depth - 1)


def strip_envelope(text: str) -> str:
    """Return an output without what agents put above and below it, and without colours."""
    if "\x1b" in text:
        text = ANSI.sub("", text)
    text = text[HEADERS.match(text).end() :] if text else ""  # type: ignore[union-attr]
    tail = text[-HEAD:]
    if found := FOOTERS.search(tail):
        text = text[: len(text) - len(tail) + found.start()]
    return text.strip()


def exit_code_of(response: object) -> int | None:
    """Return the exit code in a response; None where there is none."""
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
    )

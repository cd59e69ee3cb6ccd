"""The agents' tools: what each does, whatever it is called, and where its words stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

READ, EDIT, WRITE, SEARCH, RUN, WEB, DELEGATE, PLAN, OTHER = (
    "read", "edit", "write", "search", "run", "web", "delegate", "plan", "other",
)  # fmt: skip

ACTIONS: dict[str, tuple[str, ...]] = {
    READ: ("read", "readfile", "readcode", "view", "viewimage", "notebookread", "readmanyfiles", "cat"),
    EDIT: (
        "edit", "multiedit", "strreplace", "strreplaceeditor", "applypatch", "patch", "replace",
        "notebookedit", "searchreplace", "editfile", "updatefile", "code", "writecode",
    ),
    WRITE: ("write", "writefile", "create", "createfile", "delete", "deletefile"),
    SEARCH: (
        "grep", "glob", "ls", "list", "listdir", "listdirectory", "searchfilecontent", "searchfiles",
        "codebasesearch", "findfiles", "rg", "grepsearch", "filesearch", "semanticsearch",
    ),
    RUN: (
        "bash", "shell", "runshellcommand", "execcommand", "runcommand", "runterminalcmd", "terminal",
        "powershell", "localshell", "writestdin", "killshell", "bashoutput", "exec",
    ),
    WEB: ("webfetch", "websearch", "fetch", "googlewebsearch", "webrun", "browser", "openurl"),
    DELEGATE: ("task", "agent", "spawnagent", "skill", "delegate", "subagent"),
    PLAN: (
        "todowrite", "todoread", "updateplan", "taskcreate", "taskupdate", "tasklist", "taskget",
        "exitplanmode", "enterplanmode", "writetodos", "plan",
    ),
}  # fmt: skip
BY_NAME = {name: action for action, names in ACTIONS.items() for name in names}

TYPES = {
    READ: "discovery", SEARCH: "discovery", WEB: "discovery", EDIT: "change", WRITE: "change",
    RUN: "change", DELEGATE: "change", PLAN: "note", OTHER: "note",
}  # fmt: skip
VERBS = {
    READ: "Read", SEARCH: "Searched", WEB: "Looked up", EDIT: "Edited", WRITE: "Wrote",
    RUN: "Ran", DELEGATE: "Delegated", PLAN: "Planned:", OTHER: "Used",
}  # fmt: skip

LOOKS = re.compile(
    r"(?:cd \S+ && )?(?:ls|cat|head|tail|wc|pwd|which|grep|rg|find|fd|tree|file|stat|du|df|ps|env|"
    r"git (?:-C \S+ )?(?:status|log|diff|show|branch|blame|ls-files|remote))\b(?!.*(?:>|\btee\b|-delete))"
)
"""Commands that change nothing."""

PATHS = (
    "file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file",
    "filepath", "dir_path",
)  # fmt: skip
SUBJECTS = {
    RUN: ("command", "cmd", "command_line", "input"),
    SEARCH: ("pattern", "query", "glob", "glob_pattern", "path", "dir_path"),
    WEB: ("url", "query", "prompt"),
    DELEGATE: ("description", "skill", "message", "prompt", "task", "name"),
    PLAN: ("subject", "explanation", "description", "taskId"),
    OTHER: ("description", "query", "name", "title"),
}
BEFORE = ("old_string", "old_str", "oldString", "old_text")
AFTER = ("new_string", "new_str", "newString", "new_text")
ANSWERS = (
    "stdout", "stderr", "output", "text", "content", "textResultForLlm", "text_result_for_llm",
    "llmContent", "result", "message", "error", "file",
)  # fmt: skip


def type_of(action: str, subject: str) -> str:
    """The type of observation that a use of a tool makes; a command that only looks finds out."""
    if action == RUN and LOOKS.match(subject):
        return "discovery"
    return TYPES[action]


def action_of(name: str, given: Mapping[str, Any]) -> str:
    """What a tool does, by its name; a shell that only applies a patch edits."""
    plain = name.replace("_", "").replace("-", "").replace(" ", "").lower()
    action = BY_NAME.get(plain, OTHER)
    command = given.get("command")
    if action == OTHER and name.startswith(("mcp__", "mcp_")):
        return OTHER
    if action == RUN and isinstance(command, str) and command.startswith("*** Begin Patch"):
        return EDIT
    return action

"""Agents' tools: what each does, whatever it is called, and where its input stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

READ, EDIT, WRITE, LIST, SEARCH, RUN, WEB, DELEGATE, ASK, TODO, PLAN, WAIT, OTHER = (
    "read", "edit", "write", "list", "search", "run", "web", "delegate", "ask", "todo", "plan",
    "wait", "other",
)  # fmt: skip

ACTIONS: dict[str, tuple[str, ...]] = {
    READ: (
        "read", "readfile", "readcode", "view", "viewfile", "viewfiles", "viewimage", "notebookread",
        "readmanyfiles", "cat", "showfile", "viewlinerange", "viewcodeitem", "readnotebook",
        "readfiles", "fsread",
    ),
    EDIT: (
        "edit", "multiedit", "strreplace", "strreplaceeditor", "applypatch", "patch", "replace",
        "notebookedit", "searchreplace", "editfile", "updatefile", "code", "writecode", "editnotebook",
        "replacefilecontent", "proposecode", "editfilefastapply", "applydiff", "insert",
        "strreplacebasededittool",
        "replaceinfile", "renamefile", "editnotebookfile", "insertcontent", "editor", "texteditor",
        "editfiles", "replacestringinfile", "multireplacestringinfile", "inserteditintofile",
    ),
    WRITE: (
        "write", "writefile", "create", "createfile", "delete", "deletefile", "writetofile", "filewrite",
        "fswrite",
    ),
    LIST: (
        "glob", "ls", "list", "listdir", "listdirectory", "findfiles", "filesearch", "findbyname",
        "listfiles", "find", "toolsearch", "listmcpresources", "listmcpresourcestool", "getworkspacefiles",
        "globfilesearch", "listagents",
    ),
    SEARCH: (
        "grep", "searchfilecontent", "searchfiles", "codebasesearch", "rg", "grepsearch", "semanticsearch",
        "searchbyregex", "searchcodebase", "grepfiles", "codebaseinvestigator", "lsp", "search",
        "codesearch",
    ),
    RUN: (
        "bash", "shell", "runshellcommand", "execcommand", "runcommand", "runterminalcmd", "terminal",
        "powershell", "localshell", "exec", "runinterminal", "containerexec", "executecommand",
        "shellcommand", "runterminalcommand", "runshell", "startprocess", "executebash", "executeshell",
        "runbash", "bashtool", "executeshellcommand", "runprocess", "runcommands", "executepwsh",
    ),
    WEB: (
        "webfetch", "websearch", "fetch", "googlewebsearch", "webrun", "browser", "openurl", "searchweb",
        "readurlcontent", "webreader", "fetchwebcontent", "fetchwebpage",
    ),
    DELEGATE: (
        "task", "agent", "spawnagent", "skill", "delegate", "subagent", "delegatetoagent", "sendinput",
        "activateskill", "newtask", "waitagent", "sendmessage", "invokeagent", "followuptask",
        "invokesubagent", "runsubagent", "runagent", "callagent", "dispatchagent", "startagent",
        "createsubagent", "launchagent", "delegatetask", "subtask", "oracle", "spawnsubagent",
        "backgroundtask", "readagent", "resumeagent", "assigntask",
    ),
    ASK: (
        "askuserquestion", "askuser", "requestuserinput", "question", "askquestion", "askquestions",
        "askfollowupquestion", "askuserquestions", "askhuman", "userinput", "requestinput",
        "asktheuser", "elicit", "elicituserinput", "promptuser", "askclarification", "clarify",
        "asknavigation", "getuserinput", "vscodeaskquestions", "requestuserconfirmation",
    ),
    TODO: (
        "todowrite", "todoread", "updateplan", "taskcreate", "taskupdate", "tasklist", "taskget",
        "enterplanmode", "writetodos", "updatetodo", "reportintent", "managetodolist", "updatetodolist",
        "todolist", "todo",
    ),
    PLAN: (
        "exitplanmode", "planexit", "plan", "presentplan", "planmoderespond", "createplan", "submitplan",
        "savememory", "storememory", "remember",
    ),
    WAIT: (
        "wait", "writestdin", "writebash", "bashoutput", "killshell", "killbash", "readbash",
        "stopbash", "getterminaloutput", "closeagent", "interruptagent", "taskoutput",
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
    PLAN: ("plan", "fact", "memory", "text", "explanation", "overview", "summary", "response"),
    TODO: ("subject", "explanation", "description", "taskId"),
    OTHER: (
        "description", "query", "sql", "title", "question", "url", "path", "file_path", "command", "text",
        "message", "prompt", "subject", "name", "symbol", "selector", "element", "key", "issue_key", "id",
    ),
}  # fmt: skip
BEFORE = ("old_string", "old_str", "oldString", "old_text", "old_source")
AFTER = ("new_string", "new_str", "newString", "new_text", "new_source", "code_edit", "insert_text")
CONTENT = ("content", "file_text", "contents", "CodeContent", "text", "new_content")


NAMESPACES = (
    "collaboration", "functions", "multiagentv1", "multiagentv2", "defaultapi", "developer",
)  # fmt: skip
"""What some agents put before a tool's name."""


@lru_cache(maxsize=1_024)
def _action(name: str) -> str:
    plain = name.translate(str.maketrans("", "", "_- ./:")).lower()
    for namespace in NAMESPACES:
        plain = plain.removeprefix(namespace) or plain
    return BY_NAME.get(plain, OTHER)


def action_of(name: str, given: Mapping[str, Any]) -> str:
    """Return what a tool does, by its name; a shell that only applies a patch edits."""
    if name.lower().startswith(("mcp__", "mcp_", "mcp:")):
        own = _action(re.split(r"__|[:/]", name)[-1])
        runs = own == RUN and any(isinstance(given.get(field), str) for field in ("command", "cmd"))
        return RUN if runs else OTHER
    action = _action(name)
    if action == RUN and str(given.get("command", "")).startswith("*** Begin Patch"):
        return EDIT
    if action == EDIT and given.get("command") in ("view", "create", "write"):
        return READ if given["command"] == "view" else WRITE
    return action


def awaits_agent(name: str) -> bool:
    """Return whether a tool only waits for sub-agents."""
    return "wait" in name.lower() and _action(name) == DELEGATE


def starts_agent(name: str) -> bool:
    """Return whether a tool starts sub-agents."""
    plain = name.lower()
    others = ("wait", "skill", "send", "read", "followup", "resume")
    return _action(name) == DELEGATE and not any(word in plain for word in others)


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

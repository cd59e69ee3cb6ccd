"""Agents' tools: what each does, whatever it is called, and where its input stands; and a tool use parsed
once, for every rule to look at: its action, files, commands and output."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...agents.subagents import is_launch, unwrapped
from ...records.dataclasses import dataclass, replace
from ...records.events import ToolUse
from ...text.late_pattern import late_pattern
from . import shell_commands
from .commits import committed_files
from .shell import ShellCommand, hides_status, parse_commands
from .shell_commands import COMMIT, NOTHING, PROGRAMS, heaviest
from .tool_output import DECLINED, NOT_PERMITTED, ToolOutput, parse_json, read_output, text_of

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


PATCHED = late_pattern(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)
MOVED = late_pattern(r"^\*\*\* Move to: (.+)$", re.MULTILINE)
SCRIPTED = late_pattern(
    r'tools\.(\w+)\(\s*\{.*?"?(?:cmd|command|q|query|url)"?\s*:\s*"((?:[^"\\]|\\.)*)"', re.DOTALL
)
"""A call of a tool from a script: the tool's name and its argument."""
SCRIPTED_PATCH = late_pattern(
    r"(?=.*?tools\.(apply_patch)\b).*?(\*\*\* Begin Patch.*?(?:\*\*\* End Patch|\Z))", re.DOTALL
)
"""A script that applies a patch: the tool's name and the patch."""

SEARCHES = PROGRAMS[shell_commands.SEARCH]


@dataclass(frozen=True, slots=True)
class ParsedToolUse:
    """A tool use: its action (`tools.READ` and so on), its input and its output.

    `paths` are the files that the tool was given, `line` its command line and `commands` that line's
    commands, `kind` the kind of the heaviest of them (`shell_commands.kind_of`) and `main` that command.
    """

    name: str
    action: str
    given: Mapping[str, Any]
    paths: tuple[str, ...]
    line: str
    commands: tuple[ShellCommand, ...]
    kind: str
    main: ShellCommand | None
    output: ToolOutput
    is_new: bool
    """Whether the output says that the written file is new."""
    original: str
    """The file as it was before an edit; "" where the output doesn't hold it."""
    root: str | None
    response: object
    """What the tool answered, as its agent reported it."""

    @property
    def failed(self) -> bool:
        """Whether the tool failed; a search that finds nothing, or a comparison that finds a difference,
        has not."""
        if self.output.exit_code == 1 and self.commands and self.output.failed:
            last = self.commands[-1].name
            if last in ("diff", "cmp") or (last == "git" and "diff" in self.commands[-1].arguments):
                return self.output.text.startswith(("diff: ", "error: ", "fatal: "))
            if not self.output.text and (self.kind == shell_commands.SEARCH or last in SEARCHES):
                return False
        return self.output.failed

    @property
    def hides_status(self) -> bool:
        """Whether the command line may end well although its main command failed."""
        return self.main is not None and hides_status(self.commands, self.main, self.line)

    @property
    def is_declined(self) -> bool:
        """Whether the user declined it, or didn't permit it before."""
        is_failed = self.output.failed and not self.output.interrupted
        text = self.output.text
        return is_failed and bool(DECLINED.search(text, 0, 200) or NOT_PERMITTED.search(text, 0, 400))

    @property
    def never_ran(self) -> bool:
        """Whether it was cancelled since another call beside it failed."""
        return self.output.failed and "tool call" in self.output.text[:60] and "errored" in self.output.text

    @property
    def prints_nothing(self) -> bool:
        """Whether a command that should print a file printed nothing: it is empty, or isn't there."""
        return self.kind == shell_commands.READ and self.output.answered and not self.output.text

    @property
    def files_read(self) -> list[str]:
        """The files whose content was read, relative to the root; none of a failed use."""
        if self.failed:
            return []
        if self.action == READ:
            return self.named(self.paths)
        if self.prints_nothing:
            return []
        return self.named(shell_commands.read_by(self.commands))

    @property
    def files_changed(self) -> list[str]:
        """The files that were written, moved, removed or committed, relative to the root; none of a
        failed use."""
        if self.failed:
            return []
        if self.kind == COMMIT:
            changed = self.named(shell_commands.changed_by(self.commands))
            return list(dict.fromkeys([*changed, *committed_files(self.commands, self.output.text)]))
        if self.action in (EDIT, WRITE):
            return self.named(self.paths)
        return self.named(shell_commands.changed_by(self.commands))

    def named(self, paths: Iterable[str]) -> list[str]:
        """Return paths relative to the root, each once."""
        return list(dict.fromkeys(relative_path(path, self.root) for path in paths))


def parse_tool_use(tool: ToolUse, root: str | None = None) -> ParsedToolUse:
    """Parse a tool use; paths below `root` become relative to it."""
    given = tool.input if isinstance(tool.input, Mapping) else {"input": tool.input}
    name, given = _unscripted(tool.name, given)
    action = action_of(name, given)
    if action == PLAN and not first_text(given, SUBJECTS[PLAN]):
        given = {**given, "plan": _answered_plan(tool.response)}
    line = command_line(given) if action == RUN else ""
    parsed = parse_commands(line) if line else ()
    kind, main = heaviest(parsed) if parsed else (shell_commands.RUN if line else NOTHING, None)
    paths = tuple(dict.fromkeys(_paths(given, action)))
    return ParsedToolUse(
        name,
        action,
        given,
        paths,
        line,
        parsed,
        kind,
        main,
        _output(tool, action),
        _is_new(tool.response),
        _original(tool.response),
        root,
        tool.response,
    )


def _answered_plan(response: object) -> str:
    """Return the plan that stands in the answer to a use that was given none, "" where none does."""
    response = parse_json(response)
    if isinstance(response, Mapping) and isinstance(plan := response.get("plan"), str):
        return plan
    return text_of(response).partition("Approved Plan:")[2].strip()


def _output(tool: ToolUse, action: str) -> ToolOutput:
    """Return a tool's output; of a call that starts a sub-agent, that one's words alone."""
    output = read_output(tool)
    if action != DELEGATE or not output.text or output.failed:
        return output
    return replace(output, text="" if is_launch(tool.response) else unwrapped(output.text))


def command_line(given: Mapping[str, Any]) -> str:
    """Return the command line that a tool was given, without the shell that runs it; "" for none."""
    for field in SUBJECTS[RUN]:
        value = given.get(field)
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return value[2] if len(value) == 3 and value[1] in ("-c", "-lc") else " ".join(value)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def relative_path(path: str, root: str | None) -> str:
    """Return a path relative to the project's root where it lies below, else as it is."""
    if root and path.rstrip("/\\") == root.rstrip("/\\"):
        return "."
    if root and len(path) > len(root):
        base = root.rstrip("/\\")
        if path.startswith(base) and path[len(base)] in "/\\" and base:
            inner = path[len(base) + 1 :]
            return posixpath.normpath(inner) if "\\" not in inner else inner.replace("\\", "/")
    return path


def _is_new(response: object) -> bool:
    if not isinstance(response, Mapping):
        return False
    shown = response.get("returnDisplay")
    return response.get("type") == "create" or (
        isinstance(shown, Mapping) and shown.get("isNewFile") is True
    )


def _original(response: object) -> str:
    result = response.get("originalFile") if isinstance(response, Mapping) else None
    return result if isinstance(result, str) else ""


def _paths(given: Mapping[str, Any], action: str) -> Iterator[str]:
    for field in PATHS:
        value = given.get(field)
        for item in value if isinstance(value, list) else (value,):
            path = item.get("path", item.get("file_path")) if isinstance(item, Mapping) else item
            if isinstance(path, str) and path.strip() and "\n" not in path:
                yield path
    if action == EDIT:
        for field in PATCHES:
            patch = given.get(field)
            if isinstance(patch, str) and "*** " in patch:
                yield from (match[2].strip() for match in PATCHED.finditer(patch))
                yield from (result[1].strip() for result in MOVED.finditer(patch))


def _unscripted(name: str, given: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the tool that a script calls and its input, where the use is such a script."""
    script = given.get("input", given.get("code"))
    if not isinstance(script, str) or "tools." not in script:
        return name, given
    match = SCRIPTED.search(script, 0, 4_000) or SCRIPTED_PATCH.match(script)
    if match is None:
        return name, given
    argument = match[2].replace('\\"', '"').replace("\\n", "\n")
    return match[1], {"query" if "search" in match[1] else "command": argument}

"""The fields of an observation, from one tool use: without any model and without a network.

From what a tool was given and what it answered; docs/rules.md says what good is, and
tests/store/observe/rules/examples.jsonl shows it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable
from typing import Literal, TypedDict

from ...records.events import ToolUse
from ...records.kinds import NOISE
from . import commits, shell_commands, titles, tools
from .command_output import EXCERPT, excerpt
from .command_titles import differs_from_purpose
from .edit_diff import OUTLINED, names_read, unnumbered, written_content
from .outcome import ToolOutcome, outcome_of
from .questions import questions_of, told
from .title_text import LINE, cut, first_line, one_line, purpose_of
from .tools import ParsedToolUse, parse_tool_use

BEGINNING = 400

TYPES = {
    tools.READ: "discovery", tools.SEARCH: "discovery", tools.WEB: "discovery", tools.LIST: "discovery",
    tools.EDIT: "change", tools.WRITE: "change", tools.DELEGATE: "discovery", tools.ASK: "decision",
    tools.TODO: "note", tools.PLAN: "decision", tools.WAIT: "discovery", tools.OTHER: "note",
}  # fmt: skip
CHANGING = frozenset(
    (
        shell_commands.FORMAT, shell_commands.INSTALL, shell_commands.PUSH, shell_commands.REQUEST,
        shell_commands.REPOSITORY, shell_commands.WRITE, shell_commands.REMOVE, shell_commands.MOVE,
    )
)  # fmt: skip
LOOKING = (
    "check", "verify", "show", "get", "find", "list", "view", "inspect", "look", "see", "confirm", "debug",
    "test", "compare", "examine", "read", "search", "print", "count", "measure", "查看", "检查", "确认",
    "验证", "查找", "测试",
)  # fmt: skip


class ObservationFields(TypedDict):
    """The fields of an observation, by their columns."""

    type: str
    title: str
    subtitle: str | None
    narrative: str | None
    facts: list[str]
    concepts: list[str]
    files_read: list[str]
    files_modified: list[str]


def observation_fields(
    tool: ToolUse, root: str | None = None, known: Container[str] = ()
) -> ObservationFields:
    """Return the fields of an observation of a tool use; of noise (`noise_of`) the type `noise`, a title,
    and the reason as its subtitle.

    Paths below `root` become relative to it. `known` are the files that the session has read or
    changed before, named in the same way: to read one of them again is noise.
    """
    use = parse_tool_use(tool, root)
    noise = noise_of(use, known)
    return _observation(use) if noise is None else _noise_row(use, noise)


def _noise_row(use: ParsedToolUse, noise: Noise) -> ObservationFields:
    listed = f"Listed {tools.first_text(use.given, tools.SUBJECTS[tools.LIST]) or 'files'}"
    outcome = ToolOutcome(use.output.failed, phrase="", error=None, facts=[], counts="", diff=None)
    title = listed if use.action == tools.LIST else titles.title_of(use, outcome)
    return ObservationFields(
        type=NOISE,
        title=one_line(title),
        subtitle=noise,
        narrative=None,
        facts=[],
        concepts=[],
        files_read=[],
        files_modified=[],
    )


def _observation(use: ParsedToolUse) -> ObservationFields:
    outcome = outcome_of(use)
    kind = _type_of(use, outcome)
    read, changed = ([], []) if outcome.failed else (use.files_read, use.files_changed)
    return ObservationFields(
        type=kind,
        title=titles.title_of(use, outcome),
        subtitle=titles.subtitle_of(use, outcome),
        narrative=_narrative_of(use, outcome),
        facts=outcome.facts,
        concepts=concepts_of(use, kind, [*changed, *read]),
        files_read=read,
        files_modified=changed,
    )


def _type_of(use: ParsedToolUse, outcome: ToolOutcome) -> str:
    if use.is_declined:
        return "note"
    if outcome.failed:
        return "error"
    if use.action == tools.ASK:
        return "decision" if any(question.decides for question in questions_of(use)) else "note"
    if use.action != tools.RUN:
        return "note" if use.action == tools.PLAN and "plan" not in use.name.lower() else TYPES[use.action]
    if use.kind == shell_commands.COMMIT:
        return commits.commit_type(
            commits.commit_message(use.line, use.commands) or commits.committed_subject(use.output.text)
        )
    if use.kind in CHANGING:
        return "change"
    if use.kind == shell_commands.RUN:
        is_looking = purpose_of(use.given).lower().startswith(LOOKING)
        return "discovery" if is_looking or (use.main and shell_commands.only_asks(use.main)) else "change"
    return "discovery"


def _narrative_of(use: ParsedToolUse, outcome: ToolOutcome) -> str | None:
    """Return the narrative: what was changed or run, and the output, both cut by `excerpt`."""
    parts: list[str] = []
    if outcome.diff and outcome.diff.lines:
        parts.append(outcome.diff.told(EXCERPT))
    elif use.action == tools.WRITE:
        parts.append(written_content(use))
    if use.action == tools.PLAN and (plan := tools.first_text(use.given, tools.SUBJECTS[tools.PLAN])):
        # What an agent answers to a plan that was accepted is that plan again.
        return excerpt(f"{plan}\n\n{use.output.text}" if outcome.failed else plan, is_output=True)
    is_told = not (outcome.failed and purpose_of(use.given)) or differs_from_purpose(use, outcome)
    if use.action == tools.RUN and ("\n" in use.line or len(use.line) > LINE - 20 or not is_told):
        parts.append(use.line)
    if use.action == tools.DELEGATE and (message := titles.message_of(use)[1]) and not outcome.failed:
        # What was written to another agent stands nowhere else.
        return excerpt(message)
    if use.action == tools.DELEGATE and (asked := _brief_of(use)):
        parts.append(asked)
    if use.action == tools.ASK and not outcome.failed:
        parts.append(told(questions_of(use), EXCERPT))
    elif use.kind == shell_commands.HISTORY and not outcome.failed:
        parts.append(commits.history_lines(use.output.text))
    elif use.action == tools.READ and not use.failed:
        parts.append(_outline(use))
    elif use.action == tools.DELEGATE and not outcome.failed:
        parts.append(_without_first(use.output.text, titles.answer_line(use.output.text)))
    elif use.action not in (tools.EDIT, tools.WRITE) or outcome.failed:
        parts.append(use.output.text)
    is_output = use.action not in (tools.EDIT, tools.WRITE) or outcome.failed
    kept = (excerpt(part, is_output=is_output) for part in parts if part.strip())
    return "\n\n".join(kept) or None


def _without_first(text: str, line: str) -> str:
    """Return a text without its first line where that is the one told above it."""
    first, _, rest = text.lstrip().partition("\n")
    return rest.lstrip("\n") if rest.strip() and first_line(first) == line else text


def _brief_of(use: ParsedToolUse) -> str:
    """Return what a sub-agent was asked, at most `BEGINNING` characters; "" where the title says it all."""
    text = tools.first_text(
        use.given, ("prompt", "message", "task", "input", "instructions", "objective", "query")
    )
    plain = " ".join(text[: 2 * BEGINNING].split())
    return f"Asked: {cut(plain, BEGINNING)}" if len(plain) > LINE // 2 else ""


def _outline(use: ParsedToolUse) -> str:
    """Return the names that a read file defines, else its beginning.

    Its content stands in the file; here it would only be found in the place of what was done.
    """
    names = names_read(use.output.text, use.paths[0] if use.paths else "")
    return (
        f"Defines {', '.join(names)}"
        if names
        else unnumbered(use.output.text[:OUTLINED])[:BEGINNING].strip()
    )


Noise = Literal["listing", "repeated read", "our own", "trivial", "to-do list", "never ended"]

PROTOCOL = (
    "file has not been read yet", "file has been modified since", "file has been unexpectedly modified",
    "string to replace not found", "inputvalidationerror", "multiple validation errors",
    "no changes to make",
    "found 0 matches of the string", "you must read the file", "you must use your read tool",
    "could not find the string to replace", "sibling tool call errored", "parallel tool call",
)  # fmt: skip
"""What agents' own tools answer when they were used wrongly; agents use them again at once, rightly."""

OWN_TOOLS = re.compile(r"(?:mcp[_:]+)?(?:plugin_\w{1,40}?_)?(?:memtui(?=[-_:./ ]|\Z)|mem__)", re.IGNORECASE)
"""Our own tools' names: agents put the server's name before a tool's, each in its own way."""


def _is_our_server(use: ParsedToolUse) -> bool:
    """Return whether a tool that calls any server's tool was given ours."""
    server = tools.first_text(use.given, ("server_name", "serverName", "ServerName", "server"))
    return "mcp" in use.name.lower() and server.lower() == "memtui"


def noise_of(use: ParsedToolUse, known: Container[str] = ()) -> Noise | None:
    """Return why a tool use is noise; None where it is worth an observation.

    `known` are the files that the session has read or changed before, as `ParsedToolUse` names them.
    """
    if OWN_TOOLS.match(use.name) or _is_our_server(use):
        return "our own"
    if use.output.never_ended and use.action != tools.DELEGATE:
        # A sub-agent's report may come all the same.
        return "never ended"
    if use.action == tools.TODO:
        return "to-do list"
    if use.action == tools.LIST:
        return "listing"
    if use.action == tools.DELEGATE and tools.awaits_agent(use.name):
        # What it brings back is the answer of the call that started the sub-agent.
        return "trivial"
    if use.action == tools.WAIT:
        return None if use.output.text else "trivial"
    if use.action == tools.RUN:
        noise = _of_commands(use)
        if noise:
            return noise
    if use.output.failed and any(words in use.output.text[:400].lower() for words in PROTOCOL):
        return "trivial"
    return "repeated read" if _is_known(use, known) else None


_LISTING = (shell_commands.LIST, shell_commands.HISTORY)


def _of_commands(use: ParsedToolUse) -> Noise | None:
    """Return why a command line is noise: none of its commands does more than list or print."""
    if not use.commands:
        return None if use.line and use.output.text else "trivial"
    kinds = {shell_commands.kind_of(command) for command in use.commands}
    if shell_commands.OWN in kinds and kinds <= {
        shell_commands.OWN,
        shell_commands.FILTER,
        shell_commands.NOTHING,
        shell_commands.LIST,
    }:
        return "our own"
    silent = {shell_commands.NOTHING, shell_commands.LIST, shell_commands.FILTER}
    if shell_commands.HISTORY in kinds and not commits.history_lines(use.output.text):
        silent.add(shell_commands.HISTORY)
    if not kinds <= silent:
        return None
    if (use.output.exit_code or 0) > 1 and kinds.isdisjoint(_LISTING):
        # One tells "no" by 1; whoever ends a line that only prints with more says that something failed.
        return None
    if any(command.writes for command in use.commands):
        return None
    return "listing" if not kinds.isdisjoint(_LISTING) else "trivial"


def _is_known(use: ParsedToolUse, known: Container[str]) -> bool:
    """Return whether a tool use only reads files that the session knows; a failed read is news."""
    is_read = use.action == tools.READ or use.kind == shell_commands.READ
    files = use.files_read
    return is_read and bool(files) and not use.failed and all(file in known for file in files)


LANGUAGES = {
    ".py": "python", ".pyi": "python", ".ipynb": "python", ".js": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".jsx": "react", ".ts": "typescript", ".tsx": "react", ".go": "go",
    ".rs": "rust", ".java": "java", ".kt": "kotlin", ".rb": "ruby", ".php": "php", ".c": "c", ".h": "c",
    ".cc": "c++", ".cpp": "c++", ".hpp": "c++", ".cs": "c#", ".swift": "swift", ".scala": "scala",
    ".sh": "shell", ".bash": "shell", ".zsh": "shell", ".ps1": "powershell", ".sql": "sql",
    ".html": "html", ".css": "css", ".scss": "css", ".tcss": "css", ".less": "css", ".vue": "vue",
    ".svelte": "svelte", ".md": "documentation", ".mdx": "documentation", ".rst": "documentation",
    ".tf": "terraform", ".proto": "protobuf", ".graphql": "graphql", ".lua": "lua", ".ex": "elixir",
    ".exs": "elixir", ".dart": "dart", ".zig": "zig", ".r": "r", ".jl": "julia", ".hs": "haskell",
    ".clj": "clojure", ".toml": "configuration", ".yaml": "configuration", ".yml": "configuration",
    ".ini": "configuration", ".json": "configuration", ".env": "configuration",
}  # fmt: skip
FILE_CONCEPTS = {
    "dockerfile": "docker", "docker-compose.yml": "docker", "compose.yaml": "docker",
    "compose.yml": "docker", "package.json": "npm", "package-lock.json": "npm",
    "pyproject.toml": "packaging", "setup.py": "packaging", "requirements.txt": "packaging",
    "cargo.toml": "packaging", "go.mod": "packaging", "makefile": "build", "cmakelists.txt": "build",
    ".gitignore": "git", "agents.md": "instructions", "claude.md": "instructions",
    "gemini.md": "instructions", ".gitlab-ci.yml": "ci", "jenkinsfile": "ci",
}  # fmt: skip
PROGRAM_CONCEPTS = {
    "pytest": "python", "pip": "python", "uv": "python", "ruff": "python", "mypy": "python", "go": "go",
    "cargo": "rust", "npm": "javascript", "pnpm": "javascript", "yarn": "javascript", "node": "javascript",
    "tsc": "typescript", "docker": "docker", "docker-compose": "docker", "kubectl": "kubernetes",
    "helm": "kubernetes", "terraform": "terraform", "psql": "sql", "sqlite3": "sql", "mysql": "sql",
    "redis-cli": "redis", "git": "git", "gh": "github", "aws": "aws", "gcloud": "gcloud", "mvn": "java",
    "gradle": "java", "dotnet": "c#", "bundle": "ruby", "rails": "ruby", "make": "build",
    "alembic": "migrations", "python": "python", "python3": "python", "deno": "typescript",
    "bun": "javascript",
}  # fmt: skip
KIND_CONCEPTS = {
    shell_commands.TEST: "testing", shell_commands.CHECK: "linting", shell_commands.FORMAT: "formatting",
    shell_commands.BUILD: "build", shell_commands.INSTALL: "dependencies", shell_commands.COMMIT: "git",
    shell_commands.PUSH: "git", shell_commands.REPOSITORY: "git", shell_commands.REQUEST: "github",
}  # fmt: skip
MOST_CONCEPTS = 6


def concepts_of(use: ParsedToolUse, kind: str, files: Iterable[str]) -> list[str]:
    """Return at most six concepts of a tool use: the sort of knowledge, then languages and tools."""
    concepts = [_knowledge(use, kind)]
    if concept := KIND_CONCEPTS.get(use.kind):
        concepts.append(concept)
    for file in files:
        concepts += file_concepts(file)
    if use.main is not None and (program := PROGRAM_CONCEPTS.get(use.main.name)):
        concepts.append(program)
    if use.action == tools.WEB:
        concepts.append("research")
    return list(dict.fromkeys(concepts))[:MOST_CONCEPTS]


def file_concepts(path: str) -> list[str]:
    """Return the concepts of a file by its name: its language, and whether it is a test or a migration."""
    name = posixpath.basename(path.replace("\\", "/")).lower()
    folders = path.lower().replace("\\", "/")
    results = []
    if name in FILE_CONCEPTS:
        results.append(FILE_CONCEPTS[name])
    elif language := LANGUAGES.get(posixpath.splitext(name)[1]):
        results.append(language)
    if "/.github/workflows/" in f"/{folders}":
        results.append("ci")
    if (
        (results and "test" in name)
        or "spec." in name
        or "/tests/" in f"/{folders}"
        or "__tests__" in folders
    ):
        results.append("testing")
    if "migration" in folders:
        results.append("migrations")
    return results


def _knowledge(use: ParsedToolUse, kind: str) -> str:
    if kind == "error":
        return "gotcha"
    if kind == "bugfix":
        return "problem-solution"
    if kind == "decision":
        return "trade-off"
    if kind in ("change", "feature", "refactor"):
        return "what-changed"
    return (
        "what-works"
        if use.kind in (shell_commands.TEST, shell_commands.CHECK, shell_commands.BUILD)
        else "how-it-works"
    )

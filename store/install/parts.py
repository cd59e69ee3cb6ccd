"""What agents are given beside hooks: the entry of our MCP server, a skill, slash commands; which of these
parts an agent has, and whether they are as they should be; and files that are ours alone, written, renewed
and removed as long as nobody else has changed them. Such a file is also an agent's plugin or script, for
one whose configuration takes no commands: it is made from a template in this package, which says up to its
first colon whose it is."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from ..agents.base import SKILL
from ..agents.registry import BY_NAME
from ..context.wrapper import mem_command
from ..platform.errors import ConfigurationError
from ..platform.translation import N_
from ..records.dataclasses import dataclass
from ..records.events import AgentName
from .config_file import Condition, Content, Plan, read, readable
from .server_entry import JsonServer, TomlServer, fault_of_server, is_ours, words_of_entry
from .surroundings import Surroundings

Part = Literal["mcp", "skill", "commands"]
PARTS: tuple[Part, ...] = ("mcp", "skill", "commands")
"""What agents are given beside hooks, in the order of lists."""
PART_WORDS: dict[Part, str] = {
    "mcp": "MCP",
    "skill": N_("skill"),
    "commands": N_("commands"),
}

FileCondition = Literal["no", "yes", "outdated", "edited", "foreign"]
"""`edited`: ours, and changed by somebody since; `foreign`: somebody else's."""
PartCondition = FileCondition | Literal["unreadable"]
"""`foreign`: somebody else's has its name, and ours was left out."""

WORST_FIRST: tuple[PartCondition, ...] = (
    "unreadable", "outdated", "no", N_("foreign"), N_("edited"), "yes",
)  # fmt: skip
THERE: tuple[PartCondition, ...] = ("yes", "edited", "outdated")


@dataclass(frozen=True, slots=True)
class PartState:
    """A part of an agent: each of its files with its condition; `fault` says why what is there does
    nothing."""

    part: Part
    by_file: tuple[tuple[Path, PartCondition], ...]
    fault: str = ""

    @property
    def condition(self) -> PartCondition:
        """The worst condition of its files."""
        conditions = {condition for _, condition in self.by_file}
        return next(item for item in WORST_FIRST if item in conditions)

    @property
    def files(self) -> tuple[Path, ...]:
        """Where it lies."""
        return tuple(path for path, _ in self.by_file)

    @property
    def is_there(self) -> bool:
        """Whether it is installed, be it changed by the user or out of date."""
        return self.condition in THERE


def part_states(agent: AgentName, surroundings: Surroundings) -> tuple[PartState, ...]:
    """The state of each part that an agent knows; never raises for what its files hold."""
    results: list[PartState] = []
    if servers := server_files(agent, surroundings):
        states = [(path, *_server(path, agent)) for path in servers]
        fault = next((fault for _, _, fault in states if fault), "")
        by_file = tuple((path, condition) for path, condition, _ in states)
        results.append(PartState("mcp", by_file, fault))
    own = own_files(agent, surroundings)
    for part in PARTS:
        files = [file for file in own if file.part == part]
        if files:
            by_file = tuple(
                (own_file.path, _condition_at(own_file.path, own_file.template)) for own_file in files
            )
            results.append(PartState(part, by_file))
    return tuple(results)


def server_files(agent: AgentName, surroundings: Surroundings) -> tuple[Path, ...]:
    """The user's configurations that take an agent's MCP servers."""
    return BY_NAME[agent].server_configurations(surroundings.home, surroundings.environment)


def server_splice(path: Path, agent: AgentName, words: Sequence[str] = ("",)) -> JsonServer | TomlServer:
    """Our server in an agent's configuration at `path`; no command only to take it out."""
    known = BY_NAME[agent]
    kind = TomlServer if path.suffix == ".toml" else JsonServer
    return kind(known.server_key, known.server(words))


OwnPart = Literal["skill", "commands"]


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of ours: the part it belongs to, where it lies, what it was made of, and its content."""

    part: OwnPart
    path: Path
    template: str
    content: bytes


def own_files(
    agent: AgentName, surroundings: Surroundings, database: Path | None = None
) -> tuple[OwnFile, ...]:
    """Our files for an agent, the skill first. `database` is named in what they tell to run, unless
    None: the user's own."""
    mem = mem_command()
    if database is not None:
        mem += f" --db {shlex.quote(os.fspath(database))}"
    results: list[OwnFile] = []
    for name, path in BY_NAME[agent].own_files(surroundings.home, surroundings.environment):
        if name == SKILL:
            results.append(_made("skill", path, _skill(), mem))
        else:
            template = _command(name, agent, is_toml=path.suffix == ".toml")
            results.append(_made("commands", path, template, mem))
    return tuple(results)


HEAD = "---\n"
"""Begins and ends the front matter of Markdown."""
NOTE = "as `mem install` wrote it; once changed, it is left alone"


def marked(text: str, template: str, *, is_toml: bool) -> bytes:
    """A file's content: the text, and the line that says whose it is."""
    mark = f"memtui {_fingerprint(template)} {_fingerprint(text)}: {NOTE}"
    if text.startswith(HEAD):
        head, end, rest = text.removeprefix(HEAD).partition(f"\n{HEAD}")
        return f"{HEAD}{head}\n# {mark}{end}{rest}".encode()
    return (text + (f"# {mark}\n" if is_toml else f"<!-- {mark} -->\n")).encode()


def own_file_plan(content: bytes, template: str) -> Plan:
    """A plan that writes a file of ours, over an older one; any other stays."""

    def plan(present: Content) -> Content:
        is_ours = _condition(present.file, template) in ("no", "yes", "outdated")
        return Content(content, present.backup) if is_ours else present

    return plan


def own_file_removal(template: str) -> Plan:
    """A plan that removes a file of ours; any other stays."""

    def plan(content: Content) -> Content:
        is_ours = _condition(content.file, template) in ("yes", "outdated")
        return Content(None, content.backup) if is_ours else content

    return plan


def _server(path: Path, agent: AgentName) -> tuple[PartCondition, str]:
    try:
        status = path.stat()
    except FileNotFoundError:
        return "no", ""
    except OSError:
        return "unreadable", ""
    times = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
    condition, words = _entry_at(path, agent, times)
    fault = fault_of_server(words) if words else ""
    return ("outdated" if fault else condition), fault


@lru_cache(maxsize=64)
def _entry_at(
    path: Path, agent: AgentName, _times: tuple[int, ...]
) -> tuple[PartCondition, tuple[str, ...]]:
    """Whether our server is in a file, and its command. A file that hasn't changed since isn't read
    again, for agents keep large ones."""
    try:
        content = read(path).file
    except ConfigurationError:
        return "unreadable", ()
    splice = server_splice(path, agent)
    text = "" if content is None else readable(content, [splice])
    if text is None:
        return "unreadable", ()
    entry = splice.entry_in(text)
    if entry is None:
        return "no", ()
    words = words_of_entry(entry)
    return ("yes", words) if is_ours(words) else ("foreign", ())


def _condition_at(path: Path, template: str) -> PartCondition:
    try:
        return _condition(read(path).file, template)
    except ConfigurationError:
        return "unreadable"


def _made(part: OwnPart, path: Path, template: str, mem: str) -> OwnFile:
    is_toml = path.suffix == ".toml"
    # In TOML the command stands in a text of several lines, in which a backslash means something.
    called = mem.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') if is_toml else mem
    content = marked(template.replace("{mem}", called), template, is_toml=is_toml)
    return OwnFile(part, path, template, content)


@cache
def _skill() -> str:
    description, text = _source("skill")
    return f"---\nname: {SKILL}\ndescription: {json.dumps(description)}\n---\n\n{text}"


@cache
def _command(name: str, agent: AgentName, *, is_toml: bool) -> str:
    known = BY_NAME[agent]
    description, text = _source(f"command_{name}")
    text = text.replace("{typed}", known.typed_words)
    if is_toml:
        return f'description = {json.dumps(description)}\nprompt = """\n{text}"""\n'
    if known.commands_have_heads:
        return f"---\ndescription: {json.dumps(description)}\n---\n\n{text}"
    return text


@cache
def _source(name: str) -> tuple[str, str]:
    """The first line of a text of this package, which describes it, and what stands below that."""
    source = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    description, _, text = source.partition("\n\n")
    return description, text


MARK = re.compile(r"^(?:<!-- |# )memtui ([0-9a-f]{8}) ([0-9a-f]{8})\b.*\n?", re.MULTILINE)


def _condition(content: bytes | None, template: str) -> FileCondition:
    """Whether a file of this content is ours, and made of this template."""
    if content is None:
        return "no"
    text = content.decode("utf-8", "replace")
    mark = MARK.search(text)
    if mark is None:
        return "edited" if "memtui" in text and NOTE in text else "foreign"
    own = text[: mark.start()] + text[mark.end() :]
    if _fingerprint(own) != mark[2]:
        return "edited"
    # One of an earlier version has its mark at the end, where a model reads it.
    is_current = mark[1] == _fingerprint(template)
    is_toml = mark[0].startswith("#")
    return "yes" if is_current and content == marked(own, template, is_toml=is_toml) else "outdated"


def _fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


TELLING = "// TELLING\n", "telling.js"
"""The line of a program where what tells `mem` of an event stands, and the file that holds that."""
PLACEHOLDERS = ('const COMMAND = ["COMMAND"]', "set -- COMMAND")
"""The lines of a program and of a shell's script that hold the command."""
COMMAND_LINE = re.compile(r"^(?:const COMMAND = (\[.*\])|set -- (.*))$", re.MULTILINE)


def rendered_plugin(template: str, arguments: Sequence[str]) -> bytes:
    """The plugin that runs a command, given as separate words."""
    program, script = PLACEHOLDERS
    words = json.dumps(list(arguments))
    text = (
        _template(template)
        .replace(TELLING[0], _template(TELLING[1]))
        .replace(program, f"const COMMAND = {words}")
    )
    return text.replace(script, f"set -- {shlex.join(arguments)}").encode()


def plugin_plan(path: Path, template: str, arguments: Sequence[str]) -> Plan:
    """A plan that writes the plugin, over an older one."""

    def plan(content: Content) -> Content:
        _check(path, template, content.file)
        return Content(rendered_plugin(template, arguments), content.backup)

    return plan


def plugin_removal(path: Path, template: str) -> Plan:
    """A plan that removes the plugin."""

    def plan(content: Content) -> Content:
        _check(path, template, content.file)
        return Content(None)

    return plan


def plugin_condition(content: bytes | None, template: str) -> tuple[Condition, tuple[str, ...]]:
    """Whether the plugin is in a file of this content, and the words of the command that it runs."""
    if content is None or not _is_ours(template, content):
        return "no", ()
    line = COMMAND_LINE.search(content.decode("utf-8", "replace"))
    try:
        known = json.loads(line[1]) if line and line[1] else shlex.split(line[2] if line else "")
        words = tuple(map(str, known))
    except ValueError:
        words = ()
    return ("yes" if content == rendered_plugin(template, words) else "outdated"), words


def _template(template: str) -> str:
    return files(__package__).joinpath(template).read_text(encoding="utf-8")


def _is_ours(template: str, content: bytes) -> bool:
    mark, colon, _ = _template(template).partition(":")
    return content.startswith((mark + colon).encode())


def _check(path: Path, template: str, content: bytes | None) -> None:
    if content is not None and not _is_ours(template, content):
        raise ConfigurationError(
            "{path} is not memtui's; it was left as it was. Give it another name, then do this again.",
            path=path,
        )

"""Files that are ours alone, such as our skill and commands as each agent takes them: written, renewed and
removed as long as nobody else has changed them.

A line of each says whose it is, with a fingerprint of the template that it was made of and one of the
other lines: an older one of ours is told from one that somebody changed. It stands where no model reads
it, as a comment of the front matter or of TOML, and only without either at the end.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from ...agents.base import SKILL
from ...agents.registry import BY_NAME
from ...context.wrapper import mem_command
from ...events import AgentName
from ...records.dataclasses import dataclass
from ..config_file import Content
from ..splice import Plan
from ..surroundings import Surroundings

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


FileCondition = Literal["no", "yes", "outdated", "edited", "foreign"]
"""`edited`: ours, and changed by somebody since; `foreign`: somebody else's."""

MARK = re.compile(r"^(?:<!-- |# )memtui ([0-9a-f]{8}) ([0-9a-f]{8})\b.*\n?", re.MULTILINE)
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


def condition(content: bytes | None, template: str) -> FileCondition:
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


def install_plan(content: bytes, template: str) -> Plan:
    """A plan that writes a file of ours, over an older one; any other stays."""

    def plan(present: Content) -> Content:
        is_ours = condition(present.file, template) in ("no", "yes", "outdated")
        return Content(content, present.backup) if is_ours else present

    return plan


def uninstall_plan(template: str) -> Plan:
    """A plan that removes a file of ours; any other stays."""

    def plan(content: Content) -> Content:
        is_ours = condition(content.file, template) in ("yes", "outdated")
        return Content(None, content.backup) if is_ours else content

    return plan


def _fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]

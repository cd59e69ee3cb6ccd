"""The texts of our skill and commands, as each agent takes them."""

from __future__ import annotations

import json
import os
import shlex
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from ...agents.base import SKILL
from ...agents.registry import BY_NAME
from ...context.mem_command import mem_command
from ...events import AgentName
from ...records.dataclasses import dataclass
from ..surroundings import Surroundings
from .owned_file import marked

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

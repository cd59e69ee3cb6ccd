"""The rules of each agent's files: a data file an agent, in `agents`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..records.dataclasses import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .agent_file import FileKind, Scope

Where = Literal["own", "home", "system", "project", "below"]


@dataclass(frozen=True, slots=True)
class FileRule:
    """Where files of one kind lie: a glob from the agent's own folder, the home directory, the file
    system's root, a project's folder, or (`below`) any folder of a project.

    `characters` is how many an agent takes of such a file, 0 for no limit. `patterns` is the key of the
    front matter that says for which files a rule holds.
    """

    glob: str
    where: Where
    kind: FileKind
    scope: Scope
    characters: int = 0
    patterns: str = ""


@dataclass(frozen=True, slots=True)
class AgentRules:
    """What is known of one agent's files.

    `mark` says how: "v" seen in what reached the model, "s" read in the program, "d" its documentation.
    `seen` is the version that was looked at, and `approximate` whether the order told may differ.
    `home` is its own folder below the home directory, where `memtui.store.agents` knows none. `limits`
    are numbers of what reads its files, `retention_days` after which it deletes transcripts (0: never).
    """

    name: str
    title: str
    mark: Literal["v", "s", "d"]
    seen: str = ""
    approximate: bool = False
    retention_days: int = 0
    imports: bool = False
    on_demand: str = ""
    memory: str = ""
    home: str = ""
    limits: Mapping[str, int] = field(default_factory=dict)
    files: tuple[FileRule, ...] = ()


@cache
def all_rules() -> Mapping[str, AgentRules]:
    """Return the rules of every agent by its name, in the order of lists."""
    folder = Path(__file__).parent / "agents"
    found = [_read(path) for path in sorted(folder.glob("*.toml"))]
    found.sort(key=lambda rules: ("vsd".index(rules.mark), rules.name))
    return {rules.name: rules for rules in found}


@cache
def rules_of(agent: str) -> AgentRules:
    """Return one agent's rules. KeyError for one that isn't known."""
    return _read(Path(__file__).parent / "agents" / f"{agent}.toml")


def _read(path: Path) -> AgentRules:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise KeyError(path.stem) from None
    files = tuple(FileRule(**entry) for entry in values.pop("files", ()))
    return AgentRules(name=path.stem, files=files, **values)

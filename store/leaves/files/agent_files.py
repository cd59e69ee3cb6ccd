"""Agents' files: what one is, where agents keep theirs here, by rules that are a data file an agent in
`agents`, and how agents read globs.
What an agent is told of them at a start, and what not."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ...agents.registry import agent_called
from ...records.dataclasses import dataclass, field
from ...tables.repositories import locate
from ...text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...agents.homes import AgentHomes

Scope = Literal["managed", "user", "project", "local", "team", "agent"]
FileKind = Literal[
    "instruction", "rule", "index", "note", "agentnote", "plan", "task", "prompt", "transcript"
]


@dataclass(frozen=True, slots=True)
class AgentFile:
    """A file of one or more agents, by its resolved path.

    `agents` are their names, sorted. `project` is the resolved folder of the project that it belongs
    to, None for what holds everywhere. `size` is in bytes, `mtime_ns` in ns since the epoch. `title` is
    a heading or name of its own, else its file's name. `session` is the id of the session that wrote it,
    where the file says so.
    """

    path: Path
    agents: tuple[str, ...]
    scope: Scope
    kind: FileKind
    project: Path | None
    size: int
    mtime_ns: int
    title: str
    session: str | None = None


HASHED_FROM = 200
"""UTF-16 units from which on a slug ends with a hash."""


def main_root(folder: Path) -> Path:
    """Return the root of the main checkout that a folder or its worktree belongs to, else the folder."""
    location = locate(str(folder))
    if not location.is_repository or location.is_named_only:
        return folder
    return Path(location.root)


def repository_of(folder: Path, markers: tuple[str, ...] = (".git",)) -> Path | None:
    """Return the nearest folder from this one upward that holds one of the markers."""
    for place in (folder, *folder.parents):
        if any(os.path.lexists(place / marker) for marker in markers):
            return place
    return None


def between(top: Path, bottom: Path) -> list[Path]:
    """Return the folders from `top` down to `bottom`, both included, the outer first."""
    if bottom != top and top not in bottom.parents:
        return []
    return [*(place for place in reversed(bottom.parents) if place.is_relative_to(top)), bottom]


def slug(path: Path) -> str:
    """Return the name under which Claude Code and Qwen Code keep what belongs to a folder."""
    units = str(path).encode("utf-16-le", "surrogatepass")
    codes = [int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2)]
    text = "".join(chr(code) if code < 128 and chr(code).isalnum() else "-" for code in codes)
    if len(text) <= HASHED_FROM:
        return text
    number = 0
    for code in codes:
        number = (number * 31 + code) & 0xFFFFFFFF
    return f"{text[:HASHED_FROM]}-{_base_36(abs(number - (1 << 32) if number >> 31 else number))}"


INDEXED = 1 << 20
"""Bytes that are read of a file to index or check it."""


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
    are numbers of what reads its files.
    """

    name: str
    title: str
    mark: Literal["v", "s", "d"]
    seen: str = ""
    approximate: bool = False
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


def own_folder(here: AgentHomes, agent: str) -> Path:
    """Return the directory that an agent keeps in the home directory or where a variable says."""
    known = agent_called(agent)
    return here.home / rules_of(agent).home if known is None else here.folder_of(agent)


def absolute_glob(path: str, patterns: Sequence[str]) -> bool:
    """Return whether one of the globs matches a whole path; a leading dot is like any letter."""
    if not patterns:
        return False
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.EXTGLOB | glob.FORCEUNIX
    return _matches(path, list(patterns), flags=flags, limit=200)


def ignore_glob(name: str, patterns: Sequence[str]) -> bool:
    """Return whether patterns like those of a `.gitignore` match a relative path or a folder above it; the
    last that matches counts, and one that begins with `!` takes out."""
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX
    parts = name.split("/")
    names = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    result = False
    for pattern in patterns:
        is_out = pattern.startswith("!")
        plain = pattern.removeprefix("!").rstrip("/")
        own = flags if "/" in plain else flags | glob.MATCHBASE
        candidates = names[:-1] if pattern.endswith("/") else names
        if any(_matches(candidate, [plain.removeprefix("/")], flags=own) for candidate in candidates):
            result = not is_out
    return result


@cache
def compiled(patterns: tuple[str, ...]) -> Callable[[str], object] | None:
    """Return what says whether one of the globs may match a relative path, of which a bare name is looked
    for in any folder, and a folder stands for what is in it; None where they can't be compared."""
    from wcmatch import glob

    every: list[str] = []
    for pattern in patterns:
        plain = pattern.removeprefix("!").removeprefix("/").rstrip("/")
        every += [plain, f"{plain}/**"] if "/" in plain else [f"**/{plain}", f"**/{plain}/**"]
    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.EXTGLOB | glob.FORCEUNIX
    try:
        expressions, _ = glob.translate(every, flags=flags, limit=400)
        return re.compile("|".join(f"(?:{expression})" for expression in expressions)).match
    except Exception:
        return None


def split_globs(text: str) -> list[str]:
    """Return the globs that a text lists, parted by the commas that are not within braces."""
    globs, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}" and depth > 0)
        if letter == "," and not depth:
            globs.append("")
        else:
            globs[-1] += letter
    return [part for glob in globs if (part := glob.strip())]


def files_glob(name: str, patterns: Sequence[str]) -> bool:
    """Return whether one of the globs matches a relative path as a whole."""
    return absolute_glob(name, [pattern.removeprefix("/") for pattern in patterns])


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


def _read(path: Path) -> AgentRules:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise KeyError(path.stem) from None
    files = tuple(FileRule(**entry) for entry in values.pop("files", ()))
    return AgentRules(name=path.stem, files=files, **values)


def _matches(path: str, patterns: list[str], flags: int, limit: int = 1_000) -> bool:
    from wcmatch import glob

    # One that stands for too many others, or for none that can be compared, matches nothing.
    try:
        return bool(glob.globmatch(path, patterns, flags=flags, limit=limit))
    except Exception:
        return False


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file that an agent is told.

    `path` is resolved; `text` is what is told of the file itself, without what it imports. `cut_at` is
    the first line (from 1) that isn't told, 0 where all of it is; `lost` says what is lost there.
    """

    path: Path
    why: str
    kind: FileKind
    scope: Scope
    text: str
    cut_at: int = 0
    lost: str = ""

    @property
    def tokens(self) -> int:
        """About how many tokens the text takes."""
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file, or a path that a file names, that an agent isn't told.

    `id` is that of the check that finds it, or "" where nothing is amiss; `by` is the file that names it,
    `line` its line there (0 for none), and `given` the path as it stands there.
    """

    path: Path
    why: str
    id: str = ""
    by: Path | None = None
    line: int = 0
    given: str = ""


@dataclass(frozen=True, slots=True)
class AgentStart:
    """What an agent is told at a start in a folder, in order; what reading certain files adds; and what
    it isn't told. `text` is all that is told at the start, as it is told."""

    agent: str
    folder: Path
    pieces: tuple[LoadedFile, ...]
    on_demand: tuple[LoadedFile, ...]
    skipped: tuple[SkippedFile, ...]
    text: str

    @property
    def tokens(self) -> int:
        """About how many tokens are told at the start."""
        return sum(piece.tokens for piece in self.pieces)

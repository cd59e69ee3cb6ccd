"""Agents' files: what one is, where agents keep theirs here, by rules that are a data file an agent in
`agents`, how agents read globs, and reading files: regular ones only, at most so many bytes, and never
what may hold keys.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ...agents.registry import agent_called
from ...platform.regular_file import open_regular
from ...records.dataclasses import dataclass, field
from ...tables.repositories import locate
from ...text.jsonc import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


@dataclass(frozen=True, slots=True)
class AgentHomes:
    """The home directory, and the environment's variables, by which agents find their files.

    `system` is what stands for the file system's root where managed files are looked for.
    """

    home: Path
    environment: Mapping[str, str]
    system: Path = Path("/")

    @classmethod
    def own(cls) -> AgentHomes:
        """Return those of this process."""
        return cls(Path.home().resolve(), dict(os.environ))

    def folder_of(self, agent: str) -> Path:
        """Return the directory that an agent keeps in the home directory or where a variable says."""
        known = agent_called(agent)
        if known is None:
            return self.home / rules_of(agent).home
        return known.folders(self.home, self.environment)[0]

    def claude_settings(self, folder: Path) -> list[dict[str, Any]]:
        """Return Claude Code's settings for a session in a folder, what counts most first: managed,
        local, project, user."""
        places = (
            self.system / "etc/claude-code/managed-settings.json",
            folder / ".claude/settings.local.json",
            folder / ".claude/settings.json",
            self.folder_of("claude-code") / "settings.json",
        )
        return [read_json(place) for place in places]

    def codex_settings(self) -> dict[str, Any]:
        """Return Codex's configuration."""
        return _read_toml(self.folder_of("codex") / "config.toml")

    def gemini_settings(self, folder: Path) -> list[dict[str, Any]]:
        """Return Gemini CLI's settings for a session in a folder, what counts most first."""
        own = self.folder_of("gemini") / "settings.json"
        return [read_json(folder / ".gemini/settings.json"), read_json(own)]

    def expanded(self, text: str, base: Path) -> Path:
        """Return the path that a text means: `~/` is the home directory, else it starts at a folder."""
        if text == "~" or text.startswith("~/"):
            return self.home / text[2:]
        return base / text


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


SHOWN = 4 << 20
"""Bytes that are read of a file to show or tell it."""
INDEXED = 1 << 20
"""Bytes that are read of a file to index or check it."""

DENIED = re.compile(
    r"/(?:file-history|shell-snapshots|session-env|paste-cache|image-cache|\.claude/(?:debug|uploads)|\.ssh|\.gnupg)/"
    r"|/(?:auth|\.?credentials|oauth_creds)\.json$|\.(?:key|pem|p12|pfx|vscdb|sqlite|db)$"
    r"|/\.(?:env(?:\.[^/]*)?|netrc|npmrc|pypirc)$|/id_(?:rsa|dsa|ecdsa|ed25519)$",
    re.IGNORECASE,
)
"""Paths of what is never read, whatever a setting says."""


def is_denied(path: Path | str) -> bool:
    """Return whether a resolved path is one of those that are never read."""
    return DENIED.search(str(path)) is not None


def resolved_path(path: Path) -> Path:
    """Return where a path leads, which may begin with a home directory; the path itself where that can't
    be told."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError):
        return path


def read_bytes(path: Path, most: int = SHOWN) -> bytes | None:
    """Return the first bytes of a regular file; None where there is none that may be read."""
    try:
        if is_denied(path.resolve()):
            return None
        with open_regular(path) as file:
            return file.read(most)
    except (OSError, ValueError, RuntimeError):
        return None


def read_text(path: Path, most: int = SHOWN) -> str | None:
    """Return the text of a regular file without a mark of byte order and with plain line ends; None
    where there is none that may be read."""
    raw = read_bytes(path, most)
    if raw is None:
        return None
    return raw.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def read_json(path: Path) -> dict[str, Any]:
    """Return the object that a JSON file holds, with comments or without, else an empty one."""
    text = read_text(path) or "null"
    try:
        values = json.loads(text)
    except ValueError:
        try:
            values = parse(text).data
        except (ValueError, RecursionError):
            return {}
    except RecursionError:
        return {}
    return values if isinstance(values, dict) else {}


def inner(values: object, *names: str) -> Any:
    """Return what stands under names within each other; None where something else is there."""
    for name in names:
        if not isinstance(values, dict):
            return None
        values = values.get(name)
    return values


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


def files_glob(name: str, patterns: Sequence[str]) -> bool:
    """Return whether one of the globs matches a relative path as a whole."""
    return absolute_glob(name, [pattern.removeprefix("/") for pattern in patterns])


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


def _read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds, else nothing."""
    try:
        return tomllib.loads(read_text(path) or "")
    except (ValueError, RecursionError):
        return {}


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

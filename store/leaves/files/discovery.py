"""Find agents' files: in the agents' own folders, and in projects by fixed names. No disk is searched."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ...agents.homes import AgentHomes, is_denied, read_json, read_text, resolved_path
from ...links.git import GitError, Limit, files
from ...platform.translation import _
from ...records.dataclasses import dataclass, field
from ...tables.changed_files import known_roots, session_places
from ...text.front_matter import split_front
from .agent_files import AgentFile, FileRule, all_rules, main_root, own_folder, repository_of, slug

if TYPE_CHECKING:
    import apsw

    from .agent_files import FileKind, Scope

MOST_ENTRIES, DEEPEST = 20_000, 8
"""Entries of a project that are walked where git lists none, and levels of folders."""
GIT_SECONDS = 10.0
MOST_PROJECTS = 200
"""Projects of a memory that are looked at."""
SKIPPED = frozenset(("node_modules", ".git", ".venv", "target", "dist", "__pycache__"))
HEAD_BYTES = 4_096
"""Bytes of a file in which its title is looked for."""
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files that were found, by path, and sentences on what was not looked at."""

    files: tuple[AgentFile, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Match:
    """A file by its resolved path, while it is looked for."""

    status: os.stat_result
    kind: FileKind
    scope: Scope
    project: Path | None
    agents: set[str] = field(default_factory=set)


def discover(
    here: AgentHomes, projects: Sequence[Path], known: Mapping[Path, AgentFile] | None = None
) -> Discovery:
    """Return the files of agents' own folders and of these projects.

    What is `known` is taken over where size and time haven't changed; others are opened for a title.
    """
    search = _Search(here, [resolved_path(project) for project in projects])
    search.run()
    files = []
    before_by_name = {str(path): file for path, file in (known or {}).items()}
    for name, match in sorted(search.matches.items()):
        agents = {agent for agent in match.agents if search.is_here(agent)} or match.agents
        before = before_by_name.get(name)
        path = before.path if before is not None else Path(name)
        status = match.status
        if before is None or (before.size, before.mtime_ns) != (status.st_size, status.st_mtime_ns):
            title, session = _head(path)
        else:
            title, session = before.title, before.session
        files.append(
            AgentFile(
                path,
                tuple(sorted(agents)),
                match.scope,
                match.kind,
                match.project,
                status.st_size,
                status.st_mtime_ns,
                title,
                session,
            )
        )
    return Discovery(tuple(files), tuple(search.notes))


def project_of(folder: Path) -> Path:
    """Return the root of the repository that a folder is in, else the folder, resolved."""
    folder = resolved_path(folder)
    return repository_of(folder) or folder


def project_folders(db: apsw.Connection) -> list[Path]:
    """Return the root of each project where sessions of a memory were at work, resolved, those that are
    there."""
    folders: dict[Path, None] = {}
    for place in chain(known_roots(db), session_places(db)):
        if not isinstance(place.path, str) or not place.path.startswith("/"):
            continue
        try:
            folder = Path(place.path)
            if folder.is_dir():
                folders[project_of(folder)] = None
        except (OSError, ValueError):
            continue
        if len(folders) >= MOST_PROJECTS:
            break
    return list(folders)


class _Search:
    """One look for files. What was read of folders is kept while it lasts."""

    def __init__(self, here: AgentHomes, projects: Sequence[Path]) -> None:
        self.here = here
        self.projects = list(dict.fromkeys(projects))
        # By names, for of thousands of files each `Path` is felt.
        self.matches: dict[str, _Match] = {}
        self.notes: list[str] = []
        self._entries: dict[str, list[tuple[str, bool, bool]]] = {}
        self._real: dict[str, str] = {}
        self._here: dict[str, bool] = {}
        self._by_slug = {slug(main_root(project)): project for project in self.projects}

    def is_here(self, agent: str) -> bool:
        """Return whether an agent keeps a folder here."""
        if agent not in self._here:
            own = own_folder(self.here, agent)
            self._here[agent] = own != self.here.home and own.is_dir()
        return self._here[agent]

    def run(self) -> None:
        """Look everywhere."""
        rules = [(agent, rule) for agent, own in all_rules().items() for rule in own.files]
        for agent, rule in rules:
            if rule.where in ("own", "home", "system"):
                base = {
                    "own": own_folder(self.here, agent),
                    "home": self.here.home,
                    "system": self.here.system,
                }[rule.where]
                for path in self._glob(str(base), rule.glob.split("/")):
                    self._add(agent, rule, path, None)
        in_projects = [(agent, rule) for agent, rule in rules if rule.where in ("project", "below")]
        for project in self.projects:
            places = [project, *project.parents]
            for agent, rule in in_projects:
                for place in places if rule.where == "below" else places[:1]:
                    for path in self._glob(str(place), rule.glob.split("/")):
                        self._add(agent, rule, path, project)
            self._below(project, [one for one in in_projects if one[1].where == "below"])

    def _below(self, project: Path, rules: Sequence[tuple[str, FileRule]]) -> None:
        """Look for the names in all folders of a project."""
        patterns = {rule.glob: glob_expression(rule.glob) for _, rule in rules}
        any_of = re.compile("|".join(pattern.pattern for pattern in patterns.values()))
        plain = {glob for glob in patterns if "/" not in glob}
        for name in self._names(project):
            # Of very many names nearly all are told by this, at a tenth of what a pattern takes.
            if name.rpartition("/")[2] not in plain and "/." not in name and name[:1] != ".":
                continue
            if any_of.search(name) is None:
                continue
            for agent, rule in rules:
                if patterns[rule.glob].search(name):
                    self._add(agent, rule, str(project / name), project)

    def _names(self, project: Path) -> Iterator[str]:
        """Yield the names of a project's files: those of git, else of a bounded walk."""
        if (project / ".git").exists():
            try:
                with files(str(project), Limit(GIT_SECONDS)) as names:
                    yield from names
                    return
            except GitError:
                pass
        if project in (self.here.home, Path("/")):
            self.notes.append(
                _("{project} is not a project: only its own folder was looked at.", project=project)
            )
            return
        count, device = 0, project.stat().st_dev
        waiting = [("", 0)]
        while waiting:
            inner, depth = waiting.pop()
            for name, is_folder, is_file in self._scan(os.path.join(project, inner)):  # noqa: PTH118
                count += 1
                if count > MOST_ENTRIES:
                    self.notes.append(
                        _(
                            "{project}: only {most} entries were looked at; make it a git "
                            "repository to have all of it looked at.",
                            project=project,
                            most=f"{MOST_ENTRIES:,}",
                        )
                    )
                    return
                path = f"{inner}/{name}" if inner else name
                if is_file:
                    yield path
                elif is_folder and depth < DEEPEST and name not in SKIPPED:
                    try:
                        if (project / path).stat().st_dev == device:
                            waiting.append((path, depth + 1))
                    except OSError:
                        continue

    def _glob(self, base: str, parts: Sequence[str]) -> Iterator[str]:
        """Yield the files that a pattern's parts match below a folder; folder links aren't followed."""
        if not parts:
            return
        part, rest = parts[0], parts[1:]
        if part == "**":
            yield from self._glob(base, rest)
            for name, is_folder, _ in self._scan(base):
                if is_folder and name not in SKIPPED and base.count("/") < 40:
                    yield from self._glob(f"{base}/{name}", parts)
        elif "*" in part:
            matches = re.compile(translate(part)).match
            for name, is_folder, is_file in self._scan(base):
                if matches(name) and (is_folder if rest else is_file):
                    if rest:
                        yield from self._glob(f"{base}/{name}", rest)
                    else:
                        yield f"{base}/{name}"
        elif rest:
            path = f"{base}/{part}"
            if path in self._entries or os.path.isdir(path):  # noqa: PTH112
                yield from self._glob(path, rest)
        else:
            yield f"{base}/{part}"

    def _scan(self, folder: str) -> list[tuple[str, bool, bool]]:
        """Return a folder's entries: name, whether it is a folder, and whether it is a file or a link."""
        if folder not in self._entries:
            try:
                with os.scandir(folder) as entries:
                    self._entries[folder] = sorted(
                        (
                            entry.name,
                            entry.is_dir(follow_symlinks=False),
                            entry.is_file(follow_symlinks=False) or entry.is_symlink(),
                        )
                        for entry in entries
                    )
            except OSError:
                self._entries[folder] = []
        return self._entries[folder]

    def _add(self, agent: str, rule: FileRule, path: str, project: Path | None) -> None:
        resolved = self._resolved(path, project)
        if resolved is None:
            return
        match = self.matches.get(resolved)
        if match is None:
            try:
                status = os.stat(resolved)  # noqa: PTH116
            except OSError:
                return
            if not stat.S_ISREG(status.st_mode) or is_denied(resolved):
                return
            owner = project if project is not None else self._owner(path, rule)
            match = _Match(status, rule.kind, rule.scope, owner)
            self.matches[resolved] = match
        match.agents.add(agent)

    def _resolved(self, path: str, project: Path | None) -> str | None:
        """Return the path without links; None where nothing is, or a link leads out of the project."""
        folder, _slash, name = path.rpartition("/")
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        plain = f"{self._real[folder]}/{name}"
        try:
            if not stat.S_ISLNK(os.lstat(plain).st_mode):
                return plain
            resolved = Path(os.path.realpath(plain))
        except (OSError, ValueError):
            return None
        inside = (self.here.home, *([project] if project is not None else ()))
        if project is not None and not any(resolved.is_relative_to(place) for place in inside):
            note = _("{path} is a link out of {project}, so it is not read.", path=path, project=project)
            if note not in self.notes and resolved.exists():
                self.notes.append(note)
            return None
        return str(resolved)

    def _owner(self, path: str, rule: FileRule) -> Path | None:
        """Return the project that a file in an agent's own folder belongs to, if that can be told."""
        if rule.scope not in ("project", "team"):
            return None
        parts = path.split("/")
        for base in ("projects", "tmp"):
            if base in parts:
                at = len(parts) - 1 - parts[::-1].index(base) + 1
                return self._project_called("/".join(parts[: at + 1]), parts[at])
        return None

    def _project_called(self, folder: str, name: str) -> Path | None:
        if name in self._by_slug:
            return self._by_slug[name]
        found: Path | None = None
        root = read_text(Path(folder) / ".project_root", HEAD_BYTES)
        if root is not None and root.strip().startswith("/"):
            found = Path(root.strip())
        else:
            transcript = next((n for n, _, is_file in self._scan(folder) if n.endswith(".jsonl")), None)
            if transcript is not None:
                text = read_text(Path(folder) / transcript, 1 << 16) or ""
                if match := re.search(r'"cwd"\s*:\s*"(/[^"\\]*)"', text):
                    found = main_root(Path(match[1]))
        if found is not None:
            self._by_slug[name] = found
        return found


@cache
def glob_expression(glob: str) -> re.Pattern[str]:
    """Return a regular expression of the names that a rule's glob matches in any folder."""
    parts = []
    for part in glob.split("/"):
        if part == "**":
            parts.append("(?:[^/]+/)*")
        else:
            parts.append(re.escape(part).replace(r"\*", "[^/]*") + "/")
    return re.compile("(?:^|(?:^|/)[^./][^/]*/)" + "".join(parts).removesuffix("/") + "$")


def _head(path: Path) -> tuple[str, str | None]:
    """Return a file's title and the session that wrote it."""
    if path.suffix == ".json":
        values = read_json(path) if path.stat().st_size < 1 << 20 else {}
        title = values.get("subject")
        return (title if isinstance(title, str) and title else path.name), path.parent.name
    text = read_text(path, HEAD_BYTES)
    if text is None:
        return path.name, None
    front = split_front(text)
    values = front.values or {}
    inner = values.get("metadata")
    session = values.get("originSessionId") or (
        inner.get("originSessionId") if isinstance(inner, dict) else None
    )
    title = values.get("name")
    if not isinstance(title, str) or not title:
        heading = HEADING.search(front.body)
        title = heading[1] if heading else path.name
    return title[:200], str(session) if session else None

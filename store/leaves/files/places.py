"""The names of agents' files that hold on all machines, of a project or an agent's own folder and the place
there, and the paths that they have here."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from ...agents.homes import AgentHomes, read_text, resolved_path
from ...tables.projects import project_of as project_at
from .agent_files import all_rules, files_glob, main_root, own_folder, slug
from .discovery import discover, glob_expression, project_folders, project_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw


KINDS = ("instruction", "rule", "index", "note", "agentnote")
NOT_OWN = ("managed", "team")
"""The scopes of files that are somebody else's to keep."""
PROJECT, HOME = "project", "home"


class FilePlace(NamedTuple):
    """`project` is "" for what holds everywhere. `name` is whose folder it is (an agent's name, `PROJECT`
    or `HOME`), a colon, and the path below it, in which * stands for how an agent calls the project."""

    project: str
    name: str


class FilePlaces:
    """The places of files on this machine."""

    def __init__(self, here: AgentHomes, db: apsw.Connection) -> None:
        self.here = here
        self.db = db

    @cached_property
    def folders(self) -> dict[str, Path]:
        """The checkout of each project that is here; of worktrees the main one."""
        found: dict[str, Path] = {}
        for folder in project_folders(self.db):
            found.setdefault(project_at(self.db, str(folder)), checkout(folder))
        return found

    def path_of(self, place: FilePlace) -> Path | None:
        """Return where a file lies; None where its project isn't here, or no agent reads such a file."""
        base, _colon, name = place.name.partition(":")
        root = self.folders.get(place.project) if place.project else self.here.home
        if root is None or not _is_read(base, name):
            return None
        if base in (PROJECT, HOME):
            return root / name
        own, parts = own_folder(self.here, base), name.split("/")
        if place.project:
            called = slug(main_root(root)) if parts[0] == "projects" else _called(own / parts[0], root)
            if not called:
                return None
            parts[1] = called
        return own.joinpath(*parts)

    def place_of(self, path: Path) -> FilePlace | None:
        """Return the place of a file; None for one that no agent reads, or of no project that is known."""
        for place in self._candidates(path):
            found = self.path_of(place)
            if found is not None and resolved_path(found) == resolved_path(path):
                return place
        return None

    def files_of(self, folder: Path) -> Iterator[Path]:
        """Yield the files of a project that agents are told or keep."""
        for file in discover(self.here, [folder]).files:
            if file.project == folder and file.kind in KINDS and file.scope not in NOT_OWN:
                yield file.path

    def _candidates(self, path: Path) -> Iterator[FilePlace]:
        for agent in all_rules():
            own = resolved_path(own_folder(self.here, agent))
            if own == self.here.home or not path.is_relative_to(own):
                continue
            parts = path.relative_to(own).parts
            yield FilePlace("", f"{agent}:{'/'.join(parts)}")
            for project in self.folders if len(parts) > 2 else ():
                yield FilePlace(project, f"{agent}:{'/'.join((parts[0], '*', *parts[2:]))}")
        root = checkout(project_of(path.parent))
        project = project_at(self.db, str(root))
        if root != self.here.home and path.is_relative_to(root) and project:
            self.folders.setdefault(project, root)
            yield FilePlace(project, f"{PROJECT}:{path.relative_to(root).as_posix()}")
        if path.is_relative_to(self.here.home):
            yield FilePlace("", f"{HOME}:{path.relative_to(self.here.home).as_posix()}")


def checkout(folder: Path) -> Path:
    """Return the main checkout of a project's folder, where there is one beside its worktrees."""
    root = main_root(folder)
    return root if (root / ".git").exists() else folder


def _called(folder: Path, root: Path) -> str:
    """Return how an agent calls a project that it noted the root of, "" where it didn't."""
    try:
        names = (it.name for it in folder.iterdir() if _noted(it / ".project_root") == str(root))
        return next(names, "")
    except OSError:
        return ""


def _noted(path: Path) -> str:
    return (read_text(path) or "").strip()


@cache
def _is_read(base: str, name: str) -> bool:
    """Return whether an agent reads a file of this name in its own folder, in a project or at home."""
    bases = {"project": PROJECT, "below": PROJECT, "home": HOME}
    return {"", ".", ".."}.isdisjoint(name.split("/")) and any(
        glob_expression(rule.glob).search(name) if rule.where == "below" else files_glob(name, [rule.glob])
        for agent, rules in all_rules().items()
        for rule in rules.files
        if bases.get(rule.where, agent if rule.where == "own" else "") == base
        and rule.kind in KINDS
        and rule.scope not in NOT_OWN
        and (rule.where != "own" or (rule.scope == "project") == (name.split("/")[1:2] == ["*"]))
    )

"""What is wrong with agents' files: a module a family of checks. All of them are run, and what a person has
ignored is left out."""

from __future__ import annotations

import hashlib
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from ....agents.homes import read_text
from ....database.files.atomic import make_directories
from ....platform.errors import failure_of
from ....platform.translation import _
from . import expiry, indexes, paths, starts, texts
from .examined import Examined
from .examined import Finding as Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ....agents.homes import AgentHomes
    from ..agent_files import AgentFile

IGNORED = ".memtui-files-ignore"
"""The file in a project that says what is not to be found: a line for a finding's key, a check's id, or a
check's id and a glob of paths."""
KEY_DIGITS = 8

CHECKS = (
    indexes.of_indexes, indexes.of_notes, indexes.of_links, starts.of_starts, starts.of_limits,
    starts.of_comments, starts.of_width, texts.of_duplicates, texts.of_contradictions,
    texts.of_secrets, texts.of_hidden, paths.of_paths, paths.of_commands, paths.of_globs,
    paths.of_age, expiry.of_expiry,
)  # fmt: skip


def check(here: AgentHomes, projects: Sequence[Path], files: Sequence[AgentFile]) -> list[Finding]:
    """Return what is wrong with files, by path and line, without what the projects' files ignore."""
    examined = Examined(here, [project.resolve() for project in projects], files)
    findings: dict[tuple[str, Path, str], Finding] = {}
    for run in CHECKS:
        for finding in _found(run, examined):
            place = str(finding.line) if finding.id == "index-cut" else finding.text
            findings.setdefault((finding.id, finding.path, place), finding)
    patterns = [line for project in examined.projects for line in ignored_lines(project)]
    kept = [one for one in findings.values() if not _is_ignored(one, examined, patterns)]
    return sorted(kept, key=lambda one: (str(one.path), one.line, one.id, one.text))


def _found(run: Callable[[Examined], Iterator[Finding]], examined: Examined) -> Iterator[Finding]:
    """Yield what a check finds; where it fails, of each file by itself, and which it fails on."""
    try:
        yield from list(run(examined))
        return
    except Exception as error:
        if len(examined.files) == 1:
            sentence = _("could not be checked ({error})", error=failure_of(error))
            yield Finding("unchecked", examined.files[0].path, 0, sentence)
            return
    for file in examined.files:
        yield from _found(run, Examined(examined.here, examined.projects, [file]))


def key_of(finding: Finding, projects: Sequence[Path], home: Path) -> str:
    """Return what a finding is known by from run to run, and on any machine."""
    place = finding.path
    for base in (*projects, home):
        if finding.path.is_relative_to(base):
            place = finding.path.relative_to(base)
            break
    text = f"{finding.id}\0{place}\0{finding.text}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{finding.id}:{digest[:KEY_DIGITS]}"


def ignored_lines(project: Path) -> list[str]:
    """Return what a project's file says is not to be found."""
    text = read_text(project / IGNORED, 1 << 16) or ""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def ignore(project: Path, key: str) -> Path:
    """Have a project's file ignore a finding. Returns the file. Raises OSError."""
    path = project / IGNORED
    if key not in ignored_lines(project):
        make_directories(path.parent)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{key}\n")
    return path


def _is_ignored(finding: Finding, examined: Examined, lines: Iterable[str]) -> bool:
    shown = examined.shown(finding.path)
    key = key_of(finding, examined.projects, examined.here.home)
    for line in lines:
        what, _, where = line.partition(" ")
        if what == key or (what == finding.id and (not where or fnmatch(shown, where.strip()))):
            return True
    return False

"""What is wrong with agents' files: a module a family of checks. All of them are run, and what a person
has ignored is left out; and those findings of which it is known what mends them are taken away, as one
undoable action."""

from __future__ import annotations

import hashlib
import os
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from ....agents.homes import AgentHomes, read_text, resolved_path
from ....database.files.atomic import make_directories
from ....platform.errors import failure_of
from ....platform.translation import _
from ....text.plural import count_noun
from ....text.redaction import redact
from ..agent_files import AgentFile
from ..markup import INDEX, field, with_fields, with_index_line, without_index_line
from ..writing import FileWriter, ShownFile, existing, show
from . import indexes, paths, starts, texts
from .examined import Examined
from .examined import Finding as Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ....store import Store

    Fix = Callable[["Finding"], tuple[ShownFile, str] | None]
    """Returns a file and the text that mends it; None where nothing is to be done any more."""

IGNORED = ".memtui-files-ignore"
"""The file in a project that says what is not to be found: a line for a finding's key, a check's id, or a
check's id and a glob of paths."""
KEY_DIGITS = 8

CHECKS = (
    indexes.of_indexes, indexes.of_notes, indexes.of_links, starts.of_starts, starts.of_limits,
    starts.of_comments, starts.of_width, texts.of_duplicates, texts.of_contradictions,
    texts.of_secrets, texts.of_hidden, paths.of_paths, paths.of_commands, paths.of_globs,
    paths.of_age, paths.of_expiry,
)  # fmt: skip


def check(here: AgentHomes, projects: Sequence[Path], files: Sequence[AgentFile]) -> list[Finding]:
    """Return what is wrong with files, by path and line, without what the projects' files ignore."""
    examined = Examined(here, [resolved_path(project) for project in projects], files)
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


PUNCTUATED = re.compile(r"(@[^\s@]*?)([,.;:!?)\]}'\"*]+)(?=\s|$)")
IMPORT = "@AGENTS.md"


def _index_ghost(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    return shown, without_index_line(shown.text, finding.target)


def _index_missing(finding: Finding) -> tuple[ShownFile, str] | None:
    note = existing(finding.path)
    index = next((place / INDEX for place in note.path.parents if (place / INDEX).is_file()), None)
    if index is None:
        return None
    listed = existing(index)
    title = note.path.stem.replace("-", " ").replace("_", " ")
    target = os.path.relpath(note.path, listed.path.parent)
    return listed, with_index_line(listed.text, title, target, field(note.text, "description"))


def _no_frontmatter(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    first = next((line for line in shown.text.splitlines() if line.strip()), "")
    fields = {
        "name": shown.path.stem,
        "description": first.strip("# ").strip()[:150],
        "metadata.node_type": "memory",
        "metadata.type": "project",
    }
    return shown, with_fields(shown.text, fields)


def _bad_type(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    place = "type" if re.search(r"(?m)^type[ \t]*:", shown.text) else "metadata.type"
    return shown, with_fields(shown.text, {place: "project"})


def _unread_here(finding: Finding) -> tuple[ShownFile, str] | None:
    folder = finding.path.parent
    shown = show(folder / "CLAUDE.md")
    if finding.path.name != "AGENTS.md" or shown.content is None or IMPORT in shown.text:
        return None
    return shown, f"{IMPORT}\n\n{shown.text}" if shown.text.strip() else f"{IMPORT}\n"


def _import_punctuation(finding: Finding) -> tuple[ShownFile, str] | None:
    shown = existing(finding.path)
    lines = shown.text.splitlines(keepends=True)
    if not 0 < finding.line <= len(lines):
        return None
    lines[finding.line - 1] = PUNCTUATED.sub(r"\1 \2", lines[finding.line - 1])
    return shown, "".join(lines)


FIXES: dict[str, Fix] = {
    "bad-type": _bad_type,
    "import-punctuation": _import_punctuation,
    "index-ghost": _index_ghost,
    "index-missing": _index_missing,
    "no-frontmatter": _no_frontmatter,
    "unread-here": _unread_here,
}
"""What mends a finding, by the id of its check."""
SECRET = "secret"
"""The check whose finding is mended only when that is asked for: no version of the file is kept then."""


def fix(store: Store, findings: Iterable[Finding]) -> list[Finding]:
    """Mend findings, as one undo, and return those that were mended. Raises what `FileWriter` raises."""
    writer = FileWriter(store)
    mended: list[Finding] = []
    with store.change() as action:
        # From below, so that lines above are where they were found.
        for finding in sorted(findings, key=lambda finding: -finding.line):
            mend = FIXES.get(finding.id)
            result = mend(finding) if mend else None
            if result is None or result[1] == result[0].text:
                continue
            writer.write(*result, "")
            mended.append(finding)
        findings_mended = count_noun(len(mended), "findings")
        action.what = _("{findings} of agents' files fixed", findings=findings_mended)
    return mended


def redact_secrets(store: Store, findings: Iterable[Finding]) -> list[Path]:
    """Redact the secrets of files and return these. No former version is kept, so it can't be undone."""
    writer = FileWriter(store)
    paths = list(dict.fromkeys(finding.path for finding in findings if finding.id == SECRET))
    for path in paths:
        shown = existing(path)
        text = redact(shown.text)
        if text != shown.text:
            writer.redact(shown, text, _("secrets redacted in {path}, for good", path=shown.path))
    return paths

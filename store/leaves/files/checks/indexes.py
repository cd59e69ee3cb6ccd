"""What is wrong between an index and its notes, and in notes."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ....platform.translation import _
from ..agent_files import AgentFile, rules_of
from ..markup import masked
from ..starts.claude import loaded_index
from .examined import Examined, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\n]*)\]\((?P<to><[^>\n]+>|[^)\s]+)(?:\s+\"[^\"\n]*\")?\)")
WIKI = re.compile(r"\[\[(?P<name>[^\]\[|#\n]+)(?:[#|][^\]\n]*)?\]\]")
ELSEWHERE = re.compile(r"[a-zA-Z][\w+.-]*:|#|/|~|mailto:")
TYPES = ("user", "feedback", "project", "reference")
WITH_NOTES = ("claude-code", "qwen")
"""The agents whose notes have front matter and are listed in an index."""


def of_indexes(examined: Examined) -> Iterator[Finding]:
    """Yield lines without a file, files without a line, and an index that is nearly full."""
    listed: dict[Path, set[str]] = defaultdict(set)
    for index in examined.files:
        if index.kind != "index" or index.path.name != "MEMORY.md":
            continue
        text = examined.text(index.path)
        for line, target in _links(text):
            listed[index.path.parent].add(os.path.normpath(target))
            if target.endswith(".md") and not (index.path.parent / target).exists():
                sentence = _("{path} is named and isn't there", path=target)
                yield Finding("index-ghost", index.path, line, sentence, _("drop the line"), target)
        if set(index.agents) & set(WITH_NOTES):
            yield from _nearly_full(index, text)
    for note in examined.files:
        if note.kind != "note" or note.scope == "team" or not set(note.agents) & set(WITH_NOTES):
            continue
        folder = next((parent for parent in note.path.parents if parent.name == "memory"), note.path.parent)
        if str(note.path.relative_to(folder)) not in listed[folder]:
            sentence = _("{name} is in no index, so the agent can't find it", name=note.path.name)
            yield Finding("index-missing", note.path, 0, sentence, _("add a line to MEMORY.md"))


def _nearly_full(index: AgentFile, text: str) -> Iterator[Finding]:
    limits = rules_of("claude-code").limits
    shown, cut_at, lost = loaded_index(text)
    if cut_at:
        yield Finding("index-cut", index.path, cut_at, lost, _("move entries' details to notes"))
        return
    share = limits["warned_percent"]
    lines, units = shown.count("\n") + 1, len(shown)
    if lines * 100 >= limits["index_lines"] * share or units * 100 >= limits["index_units"] * share:
        sentence = _(
            "{lines} lines and {units} characters: over {share}% of what is told of an index",
            lines=lines,
            units=f"{units:,}",
            share=share,
        )
        yield Finding("index-cut", index.path, 0, sentence)


def of_notes(examined: Examined) -> Iterator[Finding]:
    """Yield notes without front matter or with a wrong one, too long ones, and those whose session is
    gone."""
    sessions: dict[Path, set[str]] = {}
    for file in examined.files:
        if file.kind != "note" or not set(file.agents) & set(WITH_NOTES):
            continue
        text, front = examined.text(file.path), examined.front(file.path)
        most = rules_of("claude-code").limits["recall_bytes"]
        if file.size > most:
            sentence = _(
                "{size} bytes, over 4096 bytes, of which recall looks at no more",
                size=f"{file.size:,}",
            )
            yield Finding("over-recall", file.path, 0, sentence)
        if front.values is None or (text.startswith("---\n") and not front.lines):
            yield Finding("bad-frontmatter", file.path, 1, _("its front matter is not YAML, or never ends"))
            continue
        if not front.lines:
            yield Finding(
                "no-frontmatter",
                file.path,
                0,
                _("no name, description and type"),
                _("add front matter"),
            )
            continue
        yield from _of_front(file, front.values)
        if file.session and "claude-code" in file.agents:
            base = _transcripts_of(file.path)
            if base is not None:
                if base not in sessions:
                    sessions[base] = _sessions_below(base)
                if file.session not in sessions[base]:
                    sentence = _(
                        "the session that wrote it, {session}, no longer has a transcript",
                        session=file.session,
                    )
                    yield Finding("origin-gone", file.path, 0, sentence)


def _of_front(file: AgentFile, values: dict[str, object]) -> Iterator[Finding]:
    metadata = values.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    type_ = inner.get("type", values.get("type"))
    if type_ not in TYPES:
        types = _(", ").join(TYPES)
        sentence = (
            _("it has no type; there is {types}", types=types)
            if type_ is None
            else _("{type!r} is not a type; the types are {types}", type=type_, types=types)
        )
        yield Finding("bad-type", file.path, 1, sentence, _("add a type"))


def of_links(examined: Examined) -> Iterator[Finding]:
    """Yield links that lead nowhere."""
    names: dict[Path, set[str]] = defaultdict(set)
    for file in examined.files:
        if file.kind in ("note", "agentnote", "index"):
            names[file.path.parent] |= {file.path.stem, file.title}
    for file in examined.files:
        text = examined.text(file.path)
        is_note = file.kind in ("note", "agentnote")
        if file.kind in ("index", "task"):
            continue
        if is_note and "[[" in text:
            plain = masked(text)
            for match in WIKI.finditer(plain):
                name = match["name"].strip().removesuffix(".md")
                if name not in names[file.path.parent]:
                    line = plain.count("\n", 0, match.start()) + 1
                    sentence = _("[[{name}]] leads to no note", name=name)
                    yield Finding("link-dangling", file.path, line, sentence)
        for line, target in _links(text) if "](" in text else ():
            place = file.path.parent / target
            root = (file.project or file.path.parent) / target
            if not _exists(place) and not _exists(root):
                yield Finding("link-dangling", file.path, line, _("{target} isn't there", target=target))


def _links(text: str) -> Iterator[tuple[int, str]]:
    """Yield the relative targets of a text's Markdown links, each with its line."""
    plain = masked(text)
    line, at = 1, 0
    for match in LINK.finditer(plain):
        target = unquote(match["to"].strip("<>")).partition("#")[0].partition("?")[0]
        line += plain.count("\n", at, match.start())
        at = match.start()
        if target and not ELSEWHERE.match(target) and not set(target) & set("{}$*|\0"):
            yield line, target


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def _transcripts_of(note: Path) -> Path | None:
    """Return the folder `projects` that a note's memory lies in."""
    return next((place for place in note.parents if place.name == "projects"), None)


def _sessions_below(folder: Path) -> set[str]:
    """Return the ids of the transcripts of all projects."""
    names: set[str] = set()
    try:
        for project in os.scandir(folder):
            if project.is_dir(follow_symlinks=False):
                with os.scandir(project.path) as entries:
                    names |= {
                        entry.name.removesuffix(".jsonl")
                        for entry in entries
                        if entry.name.endswith(".jsonl")
                    }
    except OSError:
        return names
    return names

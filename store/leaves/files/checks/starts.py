"""What is lost at a start: by imports, limits and files of other names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....platform.translation import _
from ....text.plural import count_noun
from ..agent_files import AgentFile, all_rules, rules_of
from ..discovery import glob_expression
from ..starts import AgentStart, SkippedFile, agent_start
from ..starts.copilot import hidden_comments
from .examined import Examined, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


WIDE_TOKENS = 100_000
"""About as many tokens are half of a model's window."""


def of_starts(examined: Examined) -> Iterator[Finding]:
    """Yield what starts in the projects lose, each once."""
    seen: set[tuple[object, ...]] = set()
    for project in examined.projects:
        for folder in examined.starts(project):
            for agent in examined.computed:
                found = examined.start(agent, folder)
                is_root = folder == project
                below = _unread_below(examined, project, agent) if is_root else ()
                for finding in (*_of_start(examined, found, is_root=is_root), *below):
                    key = _key(finding)
                    if key not in seen:
                        seen.add(key)
                        yield finding


def _unread_below(examined: Examined, project: Path, agent: str) -> Iterator[Finding]:
    """Yield each AGENTS.md of a folder below that an agent doesn't read, since a CLAUDE.md stands above."""
    for file in examined.files:
        folder = file.path.parent
        if file.path.name != "AGENTS.md" or file.project != project or folder == project:
            continue
        start = agent_start(examined.here, agent, project, (folder / "any",))
        if any(entry.path == file.path and entry.id == "unread-here" for entry in start.skipped):
            text = _(
                "{agent}: a CLAUDE.md is there or above, so it isn't read",
                agent=rules_of(agent).title,
            )
            yield Finding("unread-here", file.path, 0, text, _("add a CLAUDE.md with @AGENTS.md beside it"))


def _key(finding: Finding) -> tuple[object, ...]:
    if finding.id.startswith("import-"):
        return finding.id, finding.path, finding.line, finding.target
    return finding.id, finding.path, finding.text if finding.id == "index-cut" else finding.line


def _of_start(examined: Examined, start: AgentStart, *, is_root: bool) -> Iterator[Finding]:
    title = rules_of(start.agent).title
    for entry in start.skipped:
        if entry.id == "unread-here":
            if is_root and entry.path.parent == start.folder:
                text = _(
                    "{agent}: CLAUDE.md is there and doesn't import it, so it isn't read",
                    agent=title,
                )
                yield Finding(entry.id, entry.path, 0, text, _("add @AGENTS.md to CLAUDE.md"))
        elif entry.id:
            yield _of_skipped(examined, start, entry)
    for piece in start.pieces:
        if not piece.cut_at:
            continue
        if piece.kind == "index":
            text = f"{title}: {piece.lost}"
            yield Finding("index-cut", piece.path, piece.cut_at, text, _("move entries' details to notes"))
        else:
            text = _(
                "{agent}: cut at line {line}, {lost}",
                agent=title,
                line=piece.cut_at,
                lost=piece.lost,
            )
            yield Finding("not-told", piece.path, piece.cut_at, text)
    if start.tokens > WIDE_TOKENS:
        text = _(
            "{agent} is told ≈{tokens} at a start here",
            agent=title,
            tokens=count_noun(start.tokens, "tokens"),
        )
        largest = max(start.pieces, key=lambda piece: piece.tokens)
        yield Finding("too-wide", largest.path, 0, text)


def _of_skipped(examined: Examined, start: AgentStart, entry: SkippedFile) -> Finding:
    title = rules_of(start.agent).title
    if entry.by is None:
        return Finding(entry.id, entry.path, 0, f"{title}: {entry.why}")
    name = f"@{entry.given}" if entry.given else examined.shown(entry.path)
    if entry.id == "import-lost-from-subfolder":
        text = _(
            "{path} isn't told to {agent} when started in {folder}/: {why}",
            path=name,
            agent=title,
            folder=examined.shown(start.folder),
            why=entry.why,
        )
    else:
        text = _("{path} isn't told to {agent}: {why}", path=name, agent=title, why=entry.why)
    fix = {
        "import-punctuation": _("put a space before the punctuation"),
        "import-outside": _("approve it in {agent}, or move the file", agent=title),
        "import-lost-from-subfolder": _("approve imports from outside, or move the text"),
    }.get(entry.id)
    return Finding(entry.id, entry.by, entry.line, text, fix, name)


def of_limits(examined: Examined) -> Iterator[Finding]:
    """Yield files that are larger than an agent takes, by its documentation."""
    for file in examined.files:
        for agent in file.agents:
            if agent not in examined.agents:
                continue
            most = _characters(file, agent)
            count = len(examined.text(file.path)) if most and file.size > most else 0
            if count > most:
                title = all_rules()[agent].title
                text = _(
                    "{agent}: {number} characters, and it takes {most} characters",
                    agent=title,
                    number=f"{count:,}",
                    most=f"{most:,}",
                )
                yield Finding("over-limit", file.path, 0, text)


def _characters(file: AgentFile, agent: str) -> int:
    name = file.path.as_posix()
    return max(
        (
            rule.characters
            for rule in all_rules()[agent].files
            if rule.characters and glob_expression(rule.glob).search(name)
        ),
        default=0,
    )


def of_comments(examined: Examined) -> Iterator[Finding]:
    """Yield comments that one agent is told and another hides from whoever reads along."""
    if not {"copilot", "claude-code"} <= set(examined.agents):
        return
    for file in examined.files:
        if file.kind != "instruction" or not {"copilot", "claude-code"} <= set(file.agents):
            continue
        text = examined.text(file.path)
        if "<!--" not in text:
            continue
        for line, _comment in hidden_comments(text)[:1]:
            sentence = _("Copilot CLI is told this HTML comment, and Claude Code hides it")
            yield Finding("comment-told", file.path, line, sentence)


def of_width(examined: Examined) -> Iterator[Finding]:
    """Yield files that are told everywhere, since they lie in the home directory or above."""
    from pathlib import Path

    wide = {examined.here.home, Path("/")}
    for file in examined.files:
        if file.kind == "instruction" and file.path.parent in wide:
            text = _("it lies in {folder}, so it is told in every folder below", folder=file.path.parent)
            yield Finding("too-wide", file.path, 0, text)

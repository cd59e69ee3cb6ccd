"""What Codex is told: its summary of memories, the user's AGENTS.md, then those of the project within a
limit of bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ....agents.homes import AgentHomes, inner, is_file, read_bytes, read_text
from ....platform.translation import _
from ....text.plural import count_noun
from ..agent_files import AgentStart, LoadedFile, SkippedFile, between, repository_of, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

AGENT = "codex"
NAMES = ("AGENTS.override.md", "AGENTS.md")
BYTES_A_TOKEN = 4
SEPARATOR = "\n\n--- project-doc ---\n\n"


def agent_start(here: AgentHomes, folder: Path, touched: Sequence[Path] = ()) -> AgentStart:  # noqa: ARG001
    """Return what it is told in a resolved folder; reading files adds nothing."""
    home = here.folder_of(AGENT)
    settings = here.codex_settings()
    skipped: list[SkippedFile] = []
    memory = _memory(home, settings, skipped)
    user = _user(home)
    project = _project(folder, settings, skipped)
    text = SEPARATOR.join(
        "\n\n".join(piece.text.strip() for piece in pieces) for pieces in (user, project) if pieces
    )
    text = "\n\n".join([*(piece.text for piece in memory), *([text] if text else [])])
    return AgentStart(AGENT, folder, (*memory, *user, *project), (), tuple(skipped), text)


def _memory(home: Path, settings: dict[str, object], skipped: list[SkippedFile]) -> list[LoadedFile]:
    path = home / "memories/memory_summary.md"
    text = read_text(path)
    if text is None or not text.strip():
        return []
    if inner(settings, "features", "memories") is not True:
        skipped.append(SkippedFile(path.resolve(), _("the feature `memories` is off")))
        return []
    if inner(settings, "memories", "use_memories") is False:
        skipped.append(SkippedFile(path.resolve(), _("the setting memories.use_memories is off")))
        return []
    shown, cut_at, lost = _cut_in_the_middle(text, rules_of(AGENT).limits["summary_tokens"])
    why = _("the summary of its memories")
    return [LoadedFile(path.resolve(), why, "index", "user", shown, cut_at, lost)]


def _cut_in_the_middle(text: str, tokens: int) -> tuple[str, int, str]:
    raw = text.encode("utf-8", "surrogatepass")
    most = tokens * BYTES_A_TOKEN
    if len(raw) <= most:
        return text, 0, ""
    half = most // 2
    start = raw[:half].decode("utf-8", "ignore")
    end = raw[len(raw) - half :].decode("utf-8", "ignore")
    lost = _(
        "about {tokens} of its middle are not told",
        tokens=count_noun((len(raw) - most) // BYTES_A_TOKEN, "tokens"),
    )
    return f"{start}…{lost}…{end}", start.count("\n") + 1, lost


def _user(home: Path) -> list[LoadedFile]:
    for name in NAMES:
        path = home / name
        text = read_text(path)
        if text is not None and text.strip():
            return [LoadedFile(path.resolve(), _("your instructions"), "instruction", "user", text)]
    return []


def _project(folder: Path, settings: dict[str, object], skipped: list[SkippedFile]) -> list[LoadedFile]:
    limit = settings.get("project_doc_max_bytes")
    left = limit if isinstance(limit, int) and limit >= 0 else rules_of(AGENT).limits["project_bytes"]
    total = left
    names = (*NAMES, *_names(settings.get("project_doc_fallback_filenames"), ()))
    markers = _names(settings.get("project_root_markers"), (".git",))
    pieces: list[LoadedFile] = []
    for place in between(repository_of(folder, markers) or folder, folder):
        present = [name for name in names if os.path.lexists(place / name)]
        if not present or not is_file(path := place / present[0]):
            continue
        for name in present[1:]:
            if is_file(place / name):
                why = _("{name} is there, and only the first is read", name=path.name)
                skipped.append(SkippedFile((place / name).resolve(), why))
        size = path.stat().st_size
        if left <= 0:
            why = (
                _("{total} bytes are spent by the files above it", total=f"{total:,}")
                if total
                else _("the limit is 0")
            )
            skipped.append(SkippedFile(path.resolve(), why, "not-told"))
            continue
        raw = read_bytes(path, left) or b""
        text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
        if text.strip():
            cut_at, lost = 0, ""
            if size > len(raw):
                cut_at = raw.count(b"\n") + 1
                lost = _(
                    "the limit of {total} for all project files is reached: the last {lost} "
                    "bytes are not told",
                    total=count_noun(total, "bytes"),
                    lost=f"{size - len(raw):,}",
                )
            why = _("of the working folder") if place == folder else _("of {name}, above", name=place.name)
            pieces.append(LoadedFile(path.resolve(), why, "instruction", "project", text, cut_at, lost))
            left -= len(raw)
    return pieces


def _names(given: object, usual: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(given, list):
        return usual
    return tuple(name for name in given if isinstance(name, str))

"""What OpenCode is told: the user's AGENTS.md, else Claude Code's, then all files of the first name that
lies between the working folder and the repository's root, and what its setting names."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ....agents.homes import AgentHomes, is_file, read_json, read_text, resolved_path
from ....platform.translation import _
from ..agent_files import AgentStart, LoadedFile, Scope, SkippedFile, between, repository_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


AGENT = "opencode"
MOST = 200
"""Files that one pattern of the setting may name."""


def agent_start(here: AgentHomes, folder: Path, touched: Sequence[Path] = ()) -> AgentStart:
    """Return what it is told in a resolved folder, and what reading each of the files adds."""
    pieces: list[LoadedFile] = []
    skipped: list[SkippedFile] = []
    seen: set[Path] = set()

    def add(path: Path, why: str, scope: Scope) -> bool:
        resolved = resolved_path(path)
        text = None if resolved in seen else read_text(path)
        if text is None:
            return False
        seen.add(resolved)
        if text.strip():
            pieces.append(LoadedFile(resolved, why, "instruction", scope, text))
        return True

    takes_claude = not _is_set(here, "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT")
    names = ("AGENTS.md", *(["CLAUDE.md"] if takes_claude else []), "CONTEXT.md")
    own = [here.folder_of(AGENT) / "AGENTS.md"]
    if takes_claude:
        own.append(here.folder_of("claude-code") / "CLAUDE.md")
    own_file = next((path for path in own if path.is_file()), None)
    if own_file is not None:
        add(own_file, _("your instructions"), "user")
        why = _("{path} is there, and only one is read", path=own_file)
        others = own[own.index(own_file) + 1 :]
        skipped += [SkippedFile(path.resolve(), why) for path in others if path.is_file()]
    root = repository_of(folder) or Path("/")
    upward = list(reversed(between(root, folder)))
    if not _is_set(here, "OPENCODE_DISABLE_PROJECT_CONFIG"):
        name = next((name for name in names if any((place / name).is_file() for place in upward)), None)
        for place in upward:
            for other in names:
                path = place / other
                if other == name and path.is_file():
                    why = (
                        _("of the working folder")
                        if place == folder
                        else _("of {name}, above", name=place.name)
                    )
                    add(path, why, "project")
                elif path.is_file():
                    why = _("{name} is there, and only files of one name are read", name=name)
                    skipped.append(SkippedFile(path.resolve(), why))
    for path, given in _instructions(here, folder, upward):
        add(path, _("the setting instructions names {given}", given=given), "project")
    at_start = tuple(pieces)
    pieces.clear()
    for path in touched:
        below = between(folder, path.parent)[1:] if path.is_relative_to(folder) else []
        for place in reversed(below):
            found = next((place / name for name in names if (place / name).is_file()), None)
            if found is not None:
                add(found, _("{name} is read below", name=path.name), "project")
    text = "\n\n".join(f"Instructions from: {piece.path}\n{piece.text}" for piece in at_start)
    return AgentStart(AGENT, folder, at_start, tuple(pieces), tuple(skipped), text)


def _instructions(here: AgentHomes, folder: Path, upward: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the files that the setting `instructions` names, each with the pattern."""
    for given in _setting(here, upward):
        if given.startswith(("http://", "https://")):
            continue
        if given.startswith(("~/", "/")):
            path = here.expanded(given, folder)
            yield from ((match, given) for match in _globbed(Path("/"), str(path).lstrip("/")))
        else:
            for place in upward:
                yield from ((match, given) for match in _globbed(place, given.removeprefix("./")))


def _setting(here: AgentHomes, upward: Sequence[Path]) -> list[str]:
    places = [here.folder_of(AGENT), *reversed(upward)]
    if _is_set(here, "OPENCODE_DISABLE_PROJECT_CONFIG"):
        places = places[:1]
    patterns: dict[str, None] = {}
    for place in places:
        for name in ("opencode.json", "opencode.jsonc"):
            given = read_json(place / name).get("instructions")
            if isinstance(given, list):
                patterns |= dict.fromkeys(item for item in given if isinstance(item, str))
    return list(patterns)


def _globbed(base: Path, pattern: str) -> list[Path]:
    if not any(sign in pattern for sign in "*?[{"):
        return [path] if is_file(path := base / pattern) else []
    fixed = Path(pattern)
    head = []
    for part in fixed.parts:
        if any(sign in part for sign in "*?[{"):
            break
        head.append(part)
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.NODIR
    root = base.joinpath(*head)
    rest = "/".join(fixed.parts[len(head) :])
    paths: list[Path] = []
    # One that stands for too many others, or for none that can be looked for, names nothing more.
    with suppress(Exception):
        if root != Path("/") and root.is_dir():
            for name in glob.iglob(rest, root_dir=str(root), flags=flags, limit=MOST):
                paths.append(root / name)
                if len(paths) >= MOST:
                    break
    return sorted(paths)


def _is_set(here: AgentHomes, variable: str) -> bool:
    return here.environment.get(variable, "").lower() in ("1", "true")

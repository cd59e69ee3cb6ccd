"""What Copilot CLI is told: instructions of the user and of the repository's root and the working folder,
with what they import in place, then the rules that hold for everything."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....agents.homes import AgentHomes, is_file, read_text, resolved_path
from ....platform.translation import _
from ....text.front_matter import split_front
from ..agent_files import (
    AgentStart,
    LoadedFile,
    SkippedFile,
    between,
    files_glob,
    repository_of,
    split_globs,
)
from ..markup import COMMENT, masked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..agent_files import FileKind, Scope

AGENT = "copilot"
NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
AT = re.compile(r"(?:(?<=[\s(\[])|^)@(?P<path>[^\s()\[\]*`\"']+)", re.MULTILINE)
DEEPEST = 20
"""Levels of imports after which a chain is taken for endless."""
EVERYTHING = ("", "**", "**/*", "*")


def agent_start(here: AgentHomes, folder: Path, touched: Sequence[Path] = ()) -> AgentStart:
    """Return what it is told in a resolved folder, and what reading each of the files adds."""
    return _Start(here, folder).read(touched)


class _Start:
    """A start in a folder: what was read so far."""

    def __init__(self, here: AgentHomes, folder: Path) -> None:
        self.here, self.folder = here, folder
        self.home = here.folder_of(AGENT)
        self.root = repository_of(folder) or folder
        self.seen: set[str] = set()
        self.pieces: list[LoadedFile] = []
        self.skipped: list[SkippedFile] = []
        self.texts: list[str] = []

    def read(self, touched: Sequence[Path]) -> AgentStart:
        """Read all of it."""
        ends = [self.root] if self.root == self.folder else [self.root, self.folder]
        self._file(self.home / "copilot-instructions.md", _("your instructions"), "user")
        for place in ends:
            self._file(place / ".github/copilot-instructions.md", self._why(place), "project")
        for place in [*ends, *between(self.root, self.folder)[1:-1]]:
            for name in NAMES:
                self._file(place / name, self._why(place), "project")
        for folder, scope, pattern_key, why in self._instruction_folders(ends):
            for path in _files_below(folder):
                self._instruction(path, scope, pattern_key, why)
        at_start, text = tuple(self.pieces), "\n\n".join(self.texts)
        self.pieces = []
        for path in touched:
            self._touch(path, ends)
        return AgentStart(AGENT, self.folder, at_start, tuple(self.pieces), tuple(self.skipped), text)

    def _instruction_folders(self, ends: Sequence[Path]) -> Iterator[tuple[Path, Scope, str, str]]:
        yield self.home / "instructions", "user", "applyTo", _("your instructions for everything")
        for place in ends:
            yield (
                place / ".github/instructions",
                "project",
                "applyTo",
                _("instructions for everything"),
            )
        for given in self.here.environment.get("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "").split(","):
            if given.strip():
                base = self.here.expanded(given.strip(), self.folder)
                yield base, "user", "applyTo", _("of COPILOT_CUSTOM_INSTRUCTIONS_DIRS")
        for place in ends:
            yield place / ".claude/rules", "project", "paths", _("rule for everything")

    def _instruction(self, path: Path, scope: Scope, key: str, why: str) -> None:
        if not _is_instruction(path, key):
            return
        patterns = _patterns_of(path, key)
        if patterns:
            reason = _("only named in a table: it is for {patterns}", patterns=_(", ").join(patterns))
            self.skipped.append(SkippedFile(resolved_path(path), reason))
        else:
            self._file(path, why, scope, kind="rule")

    def _touch(self, path: Path, ends: Sequence[Path]) -> None:
        for folder, scope, key, _why in self._instruction_folders(ends):
            base = self.root if scope == "user" else folder.parent.parent
            if not path.is_relative_to(base):
                continue
            name = path.relative_to(base).as_posix()
            for rule in _files_below(folder):
                patterns = _patterns_of(rule, key) if _is_instruction(rule, key) else []
                if patterns and files_glob(name, patterns):
                    self._file(rule, _("its {key} matches {name}", key=key, name=name), scope, kind="rule")
        if path.is_relative_to(self.root):
            for name in NAMES:
                self._file(path.parent / name, _("of the folder of {name}", name=path.name), "project")

    def _file(self, path: Path, why: str, scope: Scope, *, kind: FileKind = "instruction") -> None:
        text = read_text(path) if path.is_file() else None
        if text is None or not text.strip():
            return
        resolved = resolved_path(path)
        if text in self.seen:
            if all(piece.path != resolved for piece in self.pieces):
                self.skipped.append(SkippedFile(resolved, _("the same text is told already")))
            return
        self.seen.add(text)
        at = len(self.pieces)
        whole = text
        if path.name != "GEMINI.md":
            whole = self._expanded(path, text, scope, (resolved,))
        self.pieces.insert(at, LoadedFile(resolved, why, kind, scope, text))
        self.texts.append(whole)

    def _expanded(self, path: Path, text: str, scope: Scope, above: tuple[Path, ...]) -> str:
        """Return a text with its imports in place; they become pieces."""
        if "@" not in text or len(above) > DEEPEST:
            return text
        root = self.root if path.is_relative_to(self.root) else path.parent
        parts, end = list[str](), 0
        for match in AT.finditer(masked(text, comments=False)):
            given = match["path"].rstrip(",.;:!?")
            if given.startswith(("/", "~")):
                continue
            target = Path(os.path.normpath(path.parent / given))
            resolved = resolved_path(target)
            line = text.count("\n", 0, match.start()) + 1
            if not target.is_relative_to(root):
                if is_file(target):
                    self.skipped.append(
                        SkippedFile(
                            target,
                            _("outside {folder}", folder=root),
                            "import-outside",
                            path,
                            line,
                            given,
                        )
                    )
                continue
            content = read_text(target) if is_file(target) else None
            if content is None or resolved in above:
                continue
            why = _("imported by {name}:{line}", name=path.name, line=line)
            self.pieces.append(LoadedFile(resolved, why, "instruction", scope, content))
            parts.append(text[end : match.start()])
            parts.append(self._expanded(target, content, scope, (*above, resolved)))
            end = match.start("path") + len(given)
        return "".join(parts) + text[end:]

    def _why(self, place: Path) -> str:
        if place == self.folder:
            return _("of the working folder")
        return (
            _("of the repository's root") if place == self.root else _("of {name}, above", name=place.name)
        )


def hidden_comments(text: str) -> list[tuple[int, str]]:
    """Return the HTML comments that it is told, each with its line (from 1)."""
    plain = masked(re.sub(r"<!--|-->", lambda match: "\1" * len(match[0]), text), comments=False)
    return [
        (text.count("\n", 0, match.start()) + 1, match[0])
        for match in COMMENT.finditer(text, 0, text.rfind("-->") + 3)
        if plain[match.start()] == "\1"
    ]


def _is_instruction(path: Path, key: str) -> bool:
    return path.name.endswith(".md" if key == "paths" else ".instructions.md")


def _patterns_of(path: Path, key: str) -> list[str]:
    """Return the patterns of an instruction's files; none where it holds for everything."""
    values: dict[str, Any] = split_front(read_text(path) or "").values or {}
    given = values.get(key)
    texts = given if isinstance(given, list) else [given] if given is not None else []
    patterns = [part for text in texts for part in split_globs(str(text))]
    return [] if any(pattern in EVERYTHING for pattern in patterns) else patterns


def _files_below(folder: Path) -> list[Path]:
    """Return the files below a folder, the outer first by name, at most a thousand."""
    paths: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        paths += [Path(place) / name for name in sorted(names)]
        if len(paths) > 1_000:
            break
    return paths

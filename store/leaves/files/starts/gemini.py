"""What Gemini CLI is told: GEMINI.md of the user and of extensions, its private memory, then those from the
repository's root down, with what they import in place."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ....agents.homes import AgentHomes, inner, is_file, read_json, read_text, resolved_path
from ....platform.translation import _
from ..agent_files import AgentStart, LoadedFile, Scope, SkippedFile, between, repository_of, rules_of
from ..markup import masked

if TYPE_CHECKING:
    from collections.abc import Sequence


AGENT = "gemini"
AT = re.compile(r"(?<!\S)@(?P<path>[./a-zA-Z][^\s]*)")


def agent_start(here: AgentHomes, folder: Path, touched: Sequence[Path] = ()) -> AgentStart:
    """Return what it is told in a resolved folder, and what touching each of the files adds."""
    return _Start(here, folder).read(touched)


def private_folder(here: AgentHomes, folder: Path) -> Path | None:
    """Return the private memory's folder of sessions in just this folder; None where it has none."""
    home = here.folder_of(AGENT)
    short = inner(read_json(home / "projects.json"), "projects", str(folder))
    if not isinstance(short, str) or not short or "/" in short or short in (".", ".."):
        return None
    return home / "tmp" / short / "memory"


class _Start:
    """A start in a folder: what was read so far."""

    def __init__(self, here: AgentHomes, folder: Path) -> None:
        self.here, self.folder = here, folder
        self.home = here.folder_of(AGENT)
        self.settings = here.gemini_settings(folder)
        self.names = self._names()
        self.depth = rules_of(AGENT).limits["import_depth"]
        self.seen: set[Path] = set()
        self.pieces: list[LoadedFile] = []
        self.skipped: list[SkippedFile] = []
        self.texts: list[str] = []

    def read(self, touched: Sequence[Path]) -> AgentStart:
        """Read all of it."""
        for name in self.names:
            self._file(self.home / name, _("your instructions"), "user")
        self._extensions()
        self._private()
        marker = next(
            (
                tuple(text for text in given if isinstance(text, str))
                for settings in self.settings
                if isinstance(given := inner(settings, "context", "memoryBoundaryMarkers"), list)
            ),
            (".git",),
        )
        root = repository_of(self.folder, marker) or self.folder
        for place in between(root, self.folder):
            why = (
                _("of the working folder")
                if place == self.folder
                else _("of {name}, above", name=place.name)
            )
            for name in self.names:
                self._file(place / name, why, "project")
        at_start, text = tuple(self.pieces), "\n\n".join(self.texts)
        self.pieces = []
        for path in touched:
            if path.is_relative_to(root):
                below = between(self.folder, path.parent)[1:] or between(root, path.parent)
                for place in below:
                    for name in self.names:
                        self._file(place / name, _("{name} is read below", name=path.name), "project")
        return AgentStart(AGENT, self.folder, at_start, tuple(self.pieces), tuple(self.skipped), text)

    def _names(self) -> list[str]:
        for settings in self.settings:
            given = inner(settings, "context", "fileName") or settings.get("contextFileName")
            names = [given] if isinstance(given, str) else given
            if isinstance(names, list) and names:
                return [name for name in names if isinstance(name, str) and "/" not in name]
        return ["GEMINI.md"]

    def _extensions(self) -> None:
        base = self.home / "extensions"
        try:
            names = sorted(path.name for path in base.iterdir())
        except OSError:
            return
        for name in names:
            manifest = base / name / "gemini-extension.json"
            if not manifest.is_file():
                continue
            given = read_json(manifest).get("contextFileName") or "GEMINI.md"
            for file_name in (
                [given] if isinstance(given, str) else given if isinstance(given, list) else ()
            ):
                path = base / name / str(file_name)
                if resolved_path(path).is_relative_to(resolved_path(base / name)):
                    self._file(path, _("of the extension {name}", name=name), "user")

    def _private(self) -> None:
        own = private_folder(self.here, self.folder)
        if own is not None:
            text = read_text(own / "MEMORY.md")
            if text is not None and text.strip():
                path = (own / "MEMORY.md").resolve()
                self.seen.add(path)
                self.pieces.append(
                    LoadedFile(path, _("the index of its private memory"), "index", "project", text)
                )
                self.texts.append(text)
            return
        root = repository_of(self.folder)
        above = private_folder(self.here, root) if root is not None else None
        if above is not None and (above / "MEMORY.md").is_file():
            assert root is not None
            why = _(
                "the private memory is told only to sessions that start in {name} itself",
                name=root.name,
            )
            self.skipped.append(SkippedFile((above / "MEMORY.md").resolve(), why))

    def _file(self, path: Path, why: str, scope: Scope) -> None:
        resolved = resolved_path(path)
        if resolved in self.seen:
            return
        text = read_text(path)
        if text is None:
            return
        self.seen.add(resolved)
        if not text.strip():
            return
        root = repository_of(path.parent) or path.parent
        at = len(self.pieces)
        whole = self._expanded(path, text, root, scope, (resolved,))
        self.pieces.insert(at, LoadedFile(resolved, why, "instruction", scope, text))
        self.texts.append(f"--- Context from: {path} ---\n{whole.strip()}\n--- End of Context ---")

    def _expanded(self, path: Path, text: str, root: Path, scope: Scope, above: tuple[Path, ...]) -> str:
        """Return a text with its imports in place; they become pieces."""
        if "@" not in text or len(above) > self.depth:
            self._note_too_deep(path, text)
            return text
        parts, end = list[str](), 0
        for match in AT.finditer(masked(text, comments=False)):
            given, line = match["path"], text.count("\n", 0, match.start()) + 1
            target = Path(os.path.normpath(path.parent / given))
            parts.append(text[end : match.start()])
            end = match.end()
            if not target.is_relative_to(root):
                parts.append(f"<!-- Import failed: {given} - Path traversal attempt -->")
                why = _("it leaves {folder}, so a comment is told in its place", folder=root)
                self.skipped.append(SkippedFile(target, why, "import-outside", path, line, given))
                continue
            resolved = resolved_path(target)
            inner_text = read_text(target) if is_file(target) else None
            if inner_text is None:
                parts.append(f"<!-- Import failed: {given} - no such file -->")
                if "/" in given or given.endswith(".md"):
                    self.skipped.append(
                        SkippedFile(target, _("there is no such file"), "import-missing", path, line, given)
                    )
                continue
            if resolved in above:
                parts.append(f"<!-- File already processed: {given} -->")
                why = _("it imports itself again")
                self.skipped.append(SkippedFile(resolved, why, "import-cycle", path, line, given))
                continue
            why = _("imported by {name}:{line}", name=path.name, line=line)
            self.pieces.append(LoadedFile(resolved, why, "instruction", scope, inner_text))
            whole = self._expanded(target, inner_text, root, scope, (*above, resolved))
            parts.append(f"<!-- Imported from: {given} -->\n{whole}\n<!-- End of import from: {given} -->")
        return "".join(parts) + text[end:]

    def _note_too_deep(self, path: Path, text: str) -> None:
        for match in AT.finditer(masked(text, comments=False)) if "@" in text else ():
            target = path.parent / match["path"]
            if is_file(target):
                why = _("imports go {depth} levels deep, and this is one more", depth=self.depth)
                line = text.count("\n", 0, match.start()) + 1
                self.skipped.append(SkippedFile(target, why, "import-too-deep", path, line, match["path"]))

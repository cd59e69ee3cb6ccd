"""What Claude Code is told: CLAUDE.md of all folders, what they import, rules, the auto memory's index."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....agents.homes import AgentHomes, inner, is_file, read_json, read_text, resolved_path
from ....platform.translation import _
from ....text.front_matter import split_front
from ..agent_files import (
    AgentStart,
    LoadedFile,
    SkippedFile,
    absolute_glob,
    between,
    ignore_glob,
    main_root,
    repository_of,
    rules_of,
    slug,
    split_globs,
)
from ..markup import imports, without_comments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..agent_files import FileKind, Scope

AGENT = "claude-code"
PLUGIN = "agents-md"
TEXT_SUFFIXES = frozenset(
    ".md .txt .text .json .yaml .yml .toml .xml .csv .html .htm .css .scss .sass .less .js .ts .tsx .jsx"
    " .mjs .cjs .mts .cts .py .pyi .pyw .rb .erb .rake .go .rs .java .kt .kts .scala .c .cpp .cc .cxx .h"
    " .hpp .hxx .cs .swift .sh .bash .zsh .fish .ps1 .bat .cmd .env .ini .cfg .conf .config .properties"
    " .sql .graphql .gql .proto .vue .svelte .astro .ejs .hbs .pug .jade .php .pl .pm .lua .r .dart .ex"
    " .exs .erl .hrl .clj .cljs .cljc .edn .hs .lhs .elm .ml .mli .f .f90 .f95 .for .cmake .make"
    " .makefile .gradle .sbt .rst .adoc .asciidoc .org .tex .latex .lock .log .diff .patch".split()
)
PUNCTUATION = ",.;:!?)]}'\"*"


def agent_start(here: AgentHomes, folder: Path, touched: Sequence[Path] = ()) -> AgentStart:
    """Return what it is told in a resolved folder, and what reading each of the files adds."""
    return _Start(here, folder).read(touched)


def memory_folder(here: AgentHomes, folder: Path) -> Path:
    """Return the folder of the auto memory of sessions in a folder."""
    for settings in here.claude_settings(folder):
        if isinstance(named := settings.get("autoMemoryDirectory"), str) and named:
            return here.expanded(named, folder)
    own = here.folder_of(AGENT) / "projects" / slug(main_root(folder)) / "memory"
    return Path(here.environment.get("CLAUDE_CODE_REMOTE_MEMORY_DIR") or own)


def loaded_index(text: str) -> tuple[str, int, str]:
    """Return what is told of an index, the first line that isn't (0 for none), and what is lost."""
    limits = rules_of(AGENT).limits
    lines = text.strip().split("\n")
    skipped = text[: len(text) - len(text.lstrip())].count("\n")
    loaded_lines = lines[: limits["index_lines"]]
    length = limits["index_units"]
    if _units("\n".join(loaded_lines)) > length:
        size, kept = -1, 0
        for line in loaded_lines:
            size += _units(line) + 1
            if size > length:
                break
            kept += 1
        loaded_lines = loaded_lines[: max(kept, 1)]
        if not kept:
            loaded_lines = [_first_units(loaded_lines[0], length)]
    if len(loaded_lines) == len(lines):
        return text.strip(), 0, ""
    first = lines[len(loaded_lines)]
    lost = _(
        "{lines} lines, limit {most} lines or {length} characters: lines "
        "{first_line} to {lines} are not told, first `{first}`",
        lines=len(lines),
        most=limits["index_lines"],
        length=f"{length:,}",
        first_line=len(loaded_lines) + 1,
        first=first[:120],
    )
    warning = (
        f"\n\n> WARNING: MEMORY.md is {len(lines)} lines. Only part of it was loaded. "
        f"The first line left out: {first}"
    )
    return "\n".join(loaded_lines) + warning, skipped + len(loaded_lines) + 1, lost


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _first_units(text: str, most: int) -> str:
    return text.encode("utf-16-le", "surrogatepass")[: most * 2].decode("utf-16-le", "ignore")


class _Start:
    """A start in a folder: what was read so far."""

    def __init__(self, here: AgentHomes, folder: Path) -> None:
        self.here, self.folder = here, folder
        self.limits = rules_of(AGENT).limits
        self.settings = here.claude_settings(folder)
        self.seen: set[Path] = set()
        self.pieces: list[LoadedFile] = []
        self.skipped: list[SkippedFile] = []
        self.is_approved = self._approved()
        self.excluded = [
            pattern for settings in self.settings for pattern in _strings(settings.get("claudeMdExcludes"))
        ]

    def read(self, touched: Sequence[Path]) -> AgentStart:
        """Read all of it."""
        if not _is_set(self.here, "CLAUDE_CODE_DISABLE_CLAUDE_MDS"):
            self._managed()
            self._users()
            self._projects()
            self._index()
        at_start = tuple(self.pieces)
        # What one file keeps from being read another may import.
        self.skipped = [file for file in self.skipped if file.by is not None or file.path not in self.seen]
        self.pieces = []
        for path in touched:
            self._touch(path)
        return AgentStart(
            AGENT, self.folder, at_start, tuple(self.pieces), tuple(self.skipped), _as_text(at_start)
        )

    def _managed(self) -> None:
        base = self.here.system / "etc/claude-code"
        self._file(base / "CLAUDE.md", _("managed instructions"), "managed", anywhere=True)
        if isinstance(text := self.settings[0].get("claudeMd"), str) and text.strip():
            path = base / "managed-settings.json"
            self.pieces.append(
                LoadedFile(path, _("managed setting claudeMd"), "instruction", "managed", text)
            )
        self._rules(base / ".claude/rules", "managed", anywhere=True)

    def _users(self) -> None:
        base = self.here.folder_of(AGENT)
        self._file(base / "CLAUDE.md", _("your instructions"), "user", anywhere=True)
        self._rules(base / "rules", "user", anywhere=True)

    def _projects(self) -> None:
        folders = between(Path("/"), self.folder)
        choice = self._instruction_files()
        if choice == "managed-only":
            return
        for place in folders:
            with_claude = choice != "agents-md"
            if with_claude:
                self._file(place / "CLAUDE.md", _why(place, self.folder), "project")
                self._file(place / ".claude/CLAUDE.md", _why(place, self.folder), "project")
            self._rules(place / ".claude/rules", "project")
            if choice in ("agents-md", "claude-md-and-agents-md"):
                for name in ("AGENTS.md", ".claude/AGENTS.md"):
                    self._file(
                        place / name,
                        _("{why}, for CLAUDE.md", why=_why(place, self.folder)),
                        "project",
                    )
            else:
                for name in ("AGENTS.md", ".claude/AGENTS.md"):
                    self._leave(
                        place / name,
                        _("CLAUDE.md is there, so AGENTS.md isn't read"),
                        "unread-here",
                    )
            if with_claude:
                self._file(place / "CLAUDE.local.md", _why(place, self.folder), "local")

    def _instruction_files(self) -> str:
        """Return the option of the plugin; "agents-md" where AGENTS.md is read in CLAUDE.md's place."""
        choice = "claude-md-or-agents-md"
        for settings in reversed(self.settings):
            for name in (PLUGIN, f"{PLUGIN}@builtin"):
                given = inner(settings, "pluginConfigs", name, "options", "instructionFiles")
                choice = given if isinstance(given, str) else choice
        if choice != "claude-md-or-agents-md":
            return choice
        own = self.here.folder_of(AGENT) / "CLAUDE.md"
        names = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
        has_own = any(
            place / name != own and self._tells(place / name)
            for place in between(Path("/"), self.folder)
            for name in names
        )
        return "claude-md" if has_own else "agents-md"

    def _tells(self, path: Path) -> bool:
        """Return whether a file tells anything: one that is blank or too large is as good as missing."""
        try:
            size = path.stat().st_size
        except OSError:
            return False
        text = read_text(path) if size <= self.limits["file_bytes"] else ""
        return bool(without_comments(split_front(text or "").body).strip())

    def _index(self) -> None:
        path = memory_folder(self.here, self.folder) / "MEMORY.md"
        is_off = any(settings.get("autoMemoryEnabled") is False for settings in self.settings)
        if is_off or _is_set(self.here, "CLAUDE_CODE_DISABLE_AUTO_MEMORY"):
            self._leave(path, _("the auto memory is switched off"))
            return
        text = read_text(path)
        if text is None or not text.strip():
            return
        shown, cut_at, lost = loaded_index(text)
        why = _("the index of the auto memory")
        self.pieces.append(LoadedFile(path.resolve(), why, "index", "project", shown, cut_at, lost))

    def _touch(self, path: Path) -> None:
        """Add what reading a file adds."""
        below = between(self.folder, path.parent)[1:]
        own = self.here.folder_of(AGENT)
        self._matching(own / "rules", "user", path, self.folder, anywhere=True)
        choice = self._instruction_files()
        for place in below:
            why = _("{name} is read below", name=path.name)
            names = [("AGENTS.md", "project"), (".claude/AGENTS.md", "project")]
            if choice != "agents-md":
                names = [("CLAUDE.md", "project"), (".claude/CLAUDE.md", "project")]
                names += [("CLAUDE.local.md", "local")]
            for name, scope in names:
                self._file(place / name, why, scope)  # type: ignore[arg-type]
            if choice == "claude-md":
                unread = _("CLAUDE.md is there, so AGENTS.md isn't read")
                self._leave(place / "AGENTS.md", unread, "unread-here")
            self._rules(place / ".claude/rules", "project")
            self._matching(place / ".claude/rules", "project", path, place)
        for place in between(Path("/"), self.folder):
            self._matching(place / ".claude/rules", "project", path, place)

    def _rules(self, folder: Path, scope: Scope, *, anywhere: bool = False) -> None:
        """Add the rules of a folder that hold everywhere, and what any rule imports."""
        for path in self._rule_files(folder, anywhere):
            why = _("rule for everything")
            self._file(path, why, scope, kind="rule", anywhere=anywhere)

    def _matching(
        self, folder: Path, scope: Scope, touched: Path, base: Path, *, anywhere: bool = False
    ) -> None:
        """Add the rules of a folder whose patterns match a file."""
        if not touched.is_relative_to(base):
            return
        name = touched.relative_to(base).as_posix()
        for path in self._rule_files(folder, anywhere):
            resolved = resolved_path(path)
            text = read_text(path)
            if text is None or resolved in {piece.path for piece in self.pieces}:
                continue
            front = split_front(text)
            patterns = rule_patterns((front.values or {}).get("paths"))
            if patterns and ignore_glob(name, patterns):
                why = _("its paths match {name}", name=name)
                body = without_comments(front.body)
                self.pieces.append(LoadedFile(resolved, why, "rule", scope, body))

    def _rule_files(self, folder: Path, anywhere: bool) -> Iterator[Path]:
        yield from self._rule_files_in(folder, anywhere, set())

    def _rule_files_in(self, folder: Path, anywhere: bool, walked: set[Path]) -> Iterator[Path]:
        resolved = resolved_path(folder)
        if resolved in walked:
            return
        walked.add(resolved)
        try:
            # The agent takes them as the folder lists them, unsorted.
            paths = list(folder.iterdir())
        except OSError:
            return
        for path in paths:
            if path.is_symlink() or folder.is_symlink():
                target = resolved_path(path)
                if not anywhere and not self.is_approved and not target.is_relative_to(self.folder):
                    why = _("a link out of the working folder, which needs your approval")
                    self._leave(path, why, "import-outside")
                    continue
            if path.is_dir():
                yield from self._rule_files_in(path, anywhere, walked)
            elif path.name.endswith(".md") and path.is_file():
                yield path

    def _file(
        self,
        path: Path,
        why: str,
        scope: Scope,
        *,
        kind: FileKind = "instruction",
        anywhere: bool = False,
        above: tuple[Path, ...] = (),
    ) -> None:
        """Add a file and what it imports, unless it was told already."""
        resolved = resolved_path(path)
        if resolved in self.seen:
            return
        try:
            size = resolved.stat().st_size
        except OSError:
            return
        if scope != "managed" and (
            absolute_glob(str(path), self.excluded) or absolute_glob(str(resolved), self.excluded)
        ):
            self._leave(path, _("the setting claudeMdExcludes leaves it out"))
            return
        if size > self.limits["file_bytes"]:
            self._leave(
                path,
                _(
                    "larger than {most} bytes, so it is skipped",
                    most=f"{self.limits['file_bytes']:,}",
                ),
                "not-told",
            )
            return
        text = read_text(path)
        if text is None:
            return
        self.seen.add(resolved)
        front = split_front(text)
        body = without_comments(front.body)
        if not body.strip():
            return
        if kind == "rule" and (patterns := rule_patterns((front.values or {}).get("paths"))):
            self._leave(
                resolved,
                _(
                    "told when a file is read that matches {patterns}",
                    patterns=_(", ").join(patterns),
                ),
            )
        else:
            self.pieces.append(LoadedFile(resolved, why, kind, scope, body))
        self._imports_of(resolved, front.body, front.lines, scope, kind, anywhere, (*above, resolved))

    def _imports_of(
        self,
        path: Path,
        body: str,
        skipped: int,
        scope: Scope,
        kind: FileKind,
        anywhere: bool,
        above: tuple[Path, ...],
    ) -> None:
        for given in imports(body):
            line = given.line + skipped
            target = Path(os.path.normpath(self.here.expanded(given.path, path.parent)))
            suffix = target.suffix.lower()
            if suffix and suffix not in TEXT_SUFFIXES and not is_file(target):
                self._punctuation(path, target, given.path, line)
                continue
            if suffix and suffix not in TEXT_SUFFIXES:
                self._leave(target, _("not a text file by its name"), "", path, line, given.path)
                continue
            if not is_file(target):
                self._punctuation(path, target, given.path, line)
                continue
            if resolved_path(target) in above:
                why = _("it imports itself again, and is told once")
                self._leave(target, why, "import-cycle", path, line, given.path)
                continue
            if len(above) > self.limits["import_depth"]:
                why = _(
                    "imports go {depth} levels deep, and this is one more",
                    depth=self.limits["import_depth"],
                )
                self._leave(target, why, "import-too-deep", path, line, given.path)
                continue
            if not anywhere and not self.is_approved and not target.is_relative_to(self.folder):
                why = _("outside the working folder, which needs your approval")
                root = repository_of(self.folder)
                is_lost = root is not None and target.is_relative_to(root) and root != self.folder
                self._leave(
                    target,
                    why,
                    "import-lost-from-subfolder" if is_lost else "import-outside",
                    path,
                    line,
                    given.path,
                )
                continue
            why = _("imported by {name}:{line}", name=path.name, line=line)
            self._file(target, why, scope, kind=kind, anywhere=anywhere, above=above)

    def _punctuation(self, path: Path, target: Path, given: str, line: int) -> None:
        bare = given.rstrip(PUNCTUATION)
        if bare != given and bare and is_file(self.here.expanded(bare, path.parent)):
            why = _("punctuation belongs to the path, so {given!r} is looked for", given=given)
            self._leave(target, why, "import-punctuation", path, line, given)
        elif "/" in given or target.suffix.lower() in TEXT_SUFFIXES:
            self._leave(target, _("there is no such file"), "import-missing", path, line, given)

    def _leave(
        self,
        path: Path,
        why: str,
        id: str = "",
        by: Path | None = None,
        line: int = 0,
        given: str = "",
    ) -> None:
        """Note that a file isn't told, if it is there or a file names it."""
        if by is None and not path.is_file():
            return
        entry = SkippedFile(resolved_path(path) if by is None else path, why, id, by, line, given)
        if entry not in self.skipped:
            self.skipped.append(entry)

    def _approved(self) -> bool:
        """Return whether files from outside may be imported here."""
        variable = self.here.environment.get("CLAUDE_CONFIG_DIR")
        state = read_json((self.here.home / variable if variable else self.here.home) / ".claude.json")
        roots = {str(self.folder), str(repository_of(self.folder) or self.folder)}
        return any(
            inner(state, "projects", root, "hasClaudeMdExternalIncludesApproved") is True for root in roots
        )


def rule_patterns(value: Any) -> list[str]:
    """Return the patterns of a rule's `paths`; none where it holds for everything."""
    given = [part for text in _strings(value) for part in split_globs(text) if part.strip()]
    patterns = [part.strip().removesuffix("/**") for part in given]
    patterns = [pattern for pattern in patterns if pattern]
    return [] if all(pattern == "**" for pattern in patterns) else patterns


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _is_set(here: AgentHomes, variable: str) -> bool:
    return here.environment.get(variable, "").lower() in ("1", "true", "yes", "on")


def _why(place: Path, folder: Path) -> str:
    if place == folder:
        return _("of the working folder")
    return _("of {name}, above", name=place.name or "/")


def _as_text(pieces: Sequence[LoadedFile]) -> str:
    return "\n\n".join(
        f"Contents of {piece.path} ({piece.why}):\n\n{piece.text.strip()}" for piece in pieces
    )

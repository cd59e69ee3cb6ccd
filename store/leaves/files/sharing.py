"""Agents' files that are kept in step with other machines, by the exchange of rows.

Each machine says in a row of its own what its file holds, and which version of each machine that is made
of. So of two texts either one follows the other, or both changed since a third, and are merged; where they
changed the same lines nothing is written: the other text is kept as a version of the file until a person
settles it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from ...agents.homes import AgentHomes, is_file
from ...database.files.versions import sha256
from ...platform.clock import now_ms
from ...platform.errors import (
    ConflictError,
    FileConflictError,
    InvalidRecordError,
    StoreError,
)
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass, field
from ...tables.machines import name_of
from ...text.redaction import scrub
from ...text.three_way import merged, opcodes
from .discovery import project_of
from .places import FilePlace, FilePlaces, checkout
from .writing import FileWriter, ShownFile, existing, show, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ...store import Store

Seen = dict[str, tuple[int, str]]
"""By machine, up to which of its changes a text is made of, and the SHA-256 of its text then."""
MOST_BYTES = 1 << 18
START, MIDDLE, END = "<<<<<<< ", "=======\n", ">>>>>>> "

State = Literal["in step", "differs", "waits", "gone", "stopped"]
STATES = N_("in step"), N_("differs"), N_("waits"), N_("gone"), N_("stopped")


@dataclass(frozen=True, slots=True)
class FileCopy:
    """What a file says on one machine, None where it isn't kept in step there; with nothing `seen` it will
    be."""

    machine: str
    hlc: int
    text: str | None
    seen: Seen

    def follows(self, other: FileCopy) -> bool:
        """Whether all that another one is made of is in this one."""
        return all(hlc <= self.seen.get(name, (0, ""))[0] for name, (hlc, _sha) in other.seen.items())


@dataclass(frozen=True, slots=True)
class SharedFile:
    """How it stands with a file: where it lies here, None where its project isn't here, and the machines
    that keep it in step."""

    place: FilePlace
    path: Path | None
    state: State
    machines: tuple[str, ...]


@dataclass(slots=True)
class _Copies:
    """The copies of a file: of this machine, and of others, the latest first."""

    mine: FileCopy | None = None
    others: list[FileCopy] = field(default_factory=list)

    @property
    def unseen(self) -> list[FileCopy]:
        """The others that say what neither this machine's nor a later one is made of."""
        results: list[FileCopy] = []
        known = [self.mine] if self.mine else []
        for copy in self.others:
            if copy.text is not None and not any(it.follows(copy) for it in (*known, *results)):
                results.append(copy)
        return results


class SharedFiles:
    """The table shared_files, and the files here that it is about."""

    def __init__(self, store: Store, here: AgentHomes | None = None) -> None:
        self.store = store
        self.db = store.db
        self.places = FilePlaces(here or AgentHomes.own(), store.db)
        queries = self.db.execute("SELECT query FROM sync_exclusions WHERE query LIKE 'project:%'")
        self.excluded = {str(query).removeprefix("project:") for (query,) in queries}

    def keep_in_step(self) -> list[str]:
        """Say what the files here hold, and take in what other machines say of theirs; return sentences on
        what could not be done."""
        notes: list[str] = []
        known = self._copies()
        for project in sorted(self._choices() & self.places.folders.keys() - self.excluded):
            new = self.places.files_of(self.places.folders[project])
            notes += self._tried([path for path in new if self.places.place_of(path) not in known])
        choices = self._choices()
        chosen = [
            (path.is_symlink(), place, path, copies)
            for place, copies in self._copies().items()
            if (path := self.places.path_of(place)) is not None
            and place.project not in self.excluded
            and _is_chosen(place, copies, choices)
        ]
        at: dict[Path, FilePlace] = {}
        # Of two names of one file the one that is no link counts.
        for _is_link, place, path, copies in sorted(chosen, key=lambda item: item[:2]):
            if at.setdefault(path.resolve(), place) != place:
                notes.append(_("{path} leads to another file that is kept in step.", path=path))
                continue
            try:
                self._take_in(place, copies, path)
            except StoreError as error:
                notes.append(f"{path}: {error}")
        return notes

    def share(self, path: Path) -> Path:
        """Keep a file in step; of one that differs from other machines', let what it says here stand.
        Return where it lies. Raises what `show` raises, and InvalidRecordError for what stays here."""
        shown = existing(path)
        place = self._place_of(path)
        main = self.places.path_of(place)
        if place.project in self.excluded or main is None or main.resolve() != shown.path:
            raise InvalidRecordError("{path} stays here: it is excluded, or of a worktree.", path=path)
        copies = self._copies().get(place, _Copies())
        seen = copies.mine.seen if copies.mine is not None else {}
        self._say_new(place, shown, [seen, *(copy.seen for copy in copies.unseen if seen)])
        self.store.known_projects.of(str(self.places.folders.get(place.project, "")))
        return shown.path

    def share_project(self, folder: Path) -> list[str]:
        """Keep all files of a project in step, also those to come; return what could not be done."""
        project, root = self._project_at(folder)
        self.store.known_projects.of(str(root))
        self.places.folders[project] = root
        self._choose(project)
        return self._tried(self.places.files_of(root))

    def share_all(self) -> None:
        """Keep in step whatever other machines do."""
        self._choose("")

    def stop(self, path: Path | None, folder: Path | None) -> None:
        """Keep a file, those of a project, or all, no longer in step here."""
        if path is not None:
            self._say(self._place_of(path), None, [])
            return
        project = self._project_at(folder)[0] if folder else None
        sql = (
            "SELECT project, place FROM shared_files WHERE machine = ?1 AND coalesce(?2, project) = project"
        )
        for row in self.db.execute(sql, (self.store.machine_id, project)).fetchall():
            self._say(FilePlace(*map(str, row)), None, [])

    def listed(self) -> list[SharedFile]:
        """Return how it stands with each file that some machine keeps in step."""
        results, choices = [], self._choices()
        for place, copies in sorted(self._copies().items()):
            path, mine = self.places.path_of(place), copies.mine
            state: State = "differs" if copies.unseen else "in step"
            if mine is not None and mine.text is None:
                state = "stopped"
            elif path is None or mine is None or not mine.seen or not _is_chosen(place, copies, choices):
                state = "waits"
            elif not is_file(path):
                state = "gone"
            names = (name_of(self.db, copy.machine) for copy in copies.others if copy.text is not None)
            results.append(SharedFile(place, path, state, tuple(sorted(names))))
        return results

    def marked(self, shown: ShownFile) -> str:
        """Return the text of a file to be edited: where it differs from other machines', with both between
        marks."""
        text = shown.text
        for copy in self._differing(shown.path):
            text = _with_marks(text, copy.text or "", name_of(self.db, copy.machine))
        return text

    def write(self, writer: FileWriter, shown: ShownFile, text: str, what: str) -> str:
        """Give a file a text that was made of `marked`, which settles in what it differs from others'.
        Return what it says then. Raises what `FileWriter.write` raises, and where marks are left."""
        differs = bool(self._differing(shown.path))
        if differs and any(line.startswith((START, END)) for line in text.splitlines()):
            raise FileConflictError(
                "Marks of both texts are left in it, so {path} was not changed.",
                text.encode(),
                shown.content,
                path=shown.path,
            )
        result = writer.write(shown, text, what)
        if differs:
            self.share(shown.path)
        return result

    def _differing(self, path: Path) -> list[FileCopy]:
        known = self._copies()
        place = self.places.place_of(path) if known else None
        copies = known.get(place) if place is not None else None
        return copies.unseen if copies is not None and copies.mine is not None and copies.mine.seen else []

    def _project_at(self, folder: Path) -> tuple[str, Path]:
        root = checkout(project_of(folder))
        project = self.store.known_projects.named_at(str(root))
        if not project:
            raise InvalidRecordError("{folder} is no project.", folder=folder)
        return project, root

    def _place_of(self, path: Path) -> FilePlace:
        place = self.places.place_of(path.resolve()) or self.places.place_of(path)
        if place is None:
            raise InvalidRecordError(
                "{path} is not a file that agents are told or keep, or its project isn't known here.",
                path=path,
            )
        return place

    def _tried(self, paths: Iterable[Path]) -> list[str]:
        """Share files; return what could not be done."""
        notes = []
        for path in paths:
            try:
                self.share(path)
            except StoreError as error:
                notes.append(f"{path}: {error}")
        return notes

    def _take_in(self, place: FilePlace, copies: _Copies, path: Path) -> None:
        """Bring a file, and what is said of it, to all that other machines say."""
        shown = show(path)
        roots = (self.places.here.home, self.places.folders.get(place.project, self.places.here.home))
        if not any(shown.path.is_relative_to(root) for root in roots):
            raise InvalidRecordError("It is a link to {target}.", target=shown.path)
        seen = copies.mine.seen if copies.mine is not None else {}
        if shown.content is None and seen:
            # Whoever took it away here may have another branch: that is no word to other machines.
            return
        if shown.content is None:
            copies.mine = None
        elif not seen or copies.mine is None or copies.mine.text != _text(shown):
            copies.mine = self._say_new(place, shown, [seen])
        for other in copies.unseen:
            copies.mine = self._merge(place, shown, copies.mine, other)
            shown = show(path)

    def _merge(
        self, place: FilePlace, shown: ShownFile, mine: FileCopy | None, other: FileCopy
    ) -> FileCopy:
        theirs, machine = _admitted(other.text or ""), name_of(self.db, other.machine)
        result, is_new = theirs, False
        if mine is not None and mine.text != theirs and not other.follows(mine):
            self.store.agent_files.keep(shown.path, theirs.encode())
            base = self._base(shown.path, mine, other)
            # Both machines make the same of the two.
            ours = (mine.text or "").encode()
            texts = [ours, theirs.encode()][:: 1 if mine.machine < other.machine else -1]
            both = None if base is None else merged(base.encode(), *texts)
            if both is None:
                raise ConflictError(
                    "{machine} changed the same lines. `mem files diff` shows both texts, `mem files edit` "
                    "makes one of them, and `mem files share` lets that of here stand.",
                    machine=machine,
                )
            result = both.decode()
            is_new = result not in (mine.text, theirs)
        what = _("{path} as on {machine}", path=shown.path, machine=machine)
        FileWriter(self.store).write(shown, result, what)
        seen = [other.seen, mine.seen if mine is not None else {}]
        return self._say(place, result, seen, is_new=is_new)

    def _base(self, path: Path, mine: FileCopy, other: FileCopy) -> str | None:
        """Return the latest text that both are made of, None where it isn't kept."""
        files = self.store.agent_files
        kept = (files.versions.read(version.sha256) or b"" for version in files.versions_of(path))
        texts = {sha256(text.encode()): text for text in map(_whole, map(text_of, kept))}
        names = mine.seen.keys() & other.seen.keys()
        common = [min(mine.seen[name], other.seen[name]) for name in names]
        return next((texts[sha] for _hlc, sha in sorted(common, reverse=True) if sha in texts), None)

    def _say_new(self, place: FilePlace, shown: ShownFile, seen: Iterable[Seen]) -> FileCopy:
        """Say what was changed here, and keep that version."""
        text = _text(shown)
        self.store.agent_files.see(shown.path, shown.state, shown.content)
        return self._say(place, text, seen, is_new=True)

    def _say(
        self, place: FilePlace, text: str | None, seen: Iterable[Seen], *, is_new: bool = False
    ) -> FileCopy:
        """Say what a file holds here, and what that is made of; `is_new`: no other machine said it."""
        machine = self.store.machine_id
        latest: Any = self.db.execute("SELECT coalesce(max(hlc), 0) FROM shared_files").get
        hlc = max(now_ms() << 16, int(latest) + 1)
        made_of: Seen = {}
        for name, version in (item for some in seen for item in some.items()):
            made_of[name] = max(version, made_of.get(name, (0, "")))
        if is_new:
            made_of[machine] = (hlc, sha256((text or "").encode()))
        with self.store.transaction():
            self.db.execute(
                "INSERT INTO shared_files VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                "hlc = excluded.hlc, text = excluded.text, seen = excluded.seen",
                (*place, machine, hlc, text, json.dumps(made_of)),
            )
        return FileCopy(machine, hlc, text, made_of)

    def _choose(self, project: str) -> None:
        """Choose a project, or all, with what was stopped of it."""
        sql = (
            "SELECT project, place FROM shared_files WHERE machine = ?1 AND text IS NULL "
            "AND ?2 IN ('', project)"
        )
        stopped = self.db.execute(sql, (self.store.machine_id, project)).fetchall()
        for place in (FilePlace(project, ""), *(FilePlace(*map(str, row)) for row in stopped)):
            self._say(place, "", [])

    def _choices(self) -> set[str]:
        sql = "SELECT project FROM shared_files WHERE machine = ? AND place = '' AND text NOT NULL"
        names = (str(name) for (name,) in self.db.execute(sql, (self.store.machine_id,)))
        return {self.store.known_projects.current_name(name) for name in names}

    def _copies(self) -> dict[FilePlace, _Copies]:
        results: dict[FilePlace, _Copies] = {}
        sql = (
            "SELECT project, place, machine, hlc, text, seen FROM shared_files WHERE place <> '' "
            "ORDER BY hlc DESC"
        )
        for project, place, machine, hlc, text, seen in self.db.execute(sql).fetchall():
            current = self.store.known_projects.current_name(str(project))
            copies = results.setdefault(FilePlace(current, str(place)), _Copies())
            said = None if text is None else str(text)
            copy = FileCopy(str(machine), int(str(hlc)), said, _seen_of(str(seen)))
            if machine != self.store.machine_id:
                copies.others.append(copy)
            elif copies.mine is None:
                copies.mine = copy
        return results


def keep_in_step(store: Store) -> list[str]:
    """Keep the files in step that a person chose; return sentences on what could not be done, and what
    waits."""
    machines: Any = store.db.execute(
        "SELECT count(*), coalesce(sum(machine = ?), 0) FROM shared_files", (store.machine_id,)
    ).fetchone()
    if machines[0] and not machines[1]:
        return [_("Files of agents wait here: `mem files share` lists them, --all takes them.")]
    try:
        return SharedFiles(store).keep_in_step() if machines[0] else []
    except OSError as error:
        # What is beside the rows doesn't stand in their way.
        return [str(error)]


def _is_chosen(place: FilePlace, copies: _Copies, choices: set[str]) -> bool:
    if copies.mine is not None:
        return copies.mine.text is not None
    return "" in choices or place.project in choices


def _text(shown: ShownFile) -> str:
    """Return what a file says, as other machines may be told it. Raises InvalidRecordError."""
    try:
        (shown.content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecordError("It is not UTF-8, so it stays here.") from error
    return _admitted(shown.text)


def _admitted(text: str) -> str:
    """Return a text with its last line ended. Raises InvalidRecordError for one that may not leave here."""
    if len(text.encode()) > MOST_BYTES:
        raise InvalidRecordError(
            "It is longer than {most} bytes, so it stays here.", most=f"{MOST_BYTES:,}"
        )
    if scrub(text) != text:
        raise InvalidRecordError("It holds a secret, or what is private, so it stays here.")
    return _whole(text)


def _whole(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _seen_of(text: str) -> Seen:
    """Return what a row has seen, nothing where it isn't as a machine writes it."""
    values = json.loads(text)
    return {
        name: (version[0], version[1])
        for name, version in (values.items() if isinstance(values, dict) else ())
        if isinstance(version, list) and [*map(type, version)] == [int, str]
    }


def _with_marks(text: str, other: str, machine: str) -> str:
    """Return both texts, where they differ one above the other between marks."""
    lines, others = _whole(text).splitlines(keepends=True), other.splitlines(keepends=True)
    results: list[str] = []
    for tag, start, end, first, last in opcodes(lines, others):
        if tag == "equal":
            results += lines[start:end]
        else:
            head, foot = f"{START}{_('here')}\n", f"{END}{machine}\n"
            results += [head, *lines[start:end], MIDDLE, *others[first:last], foot]
    return "".join(results)

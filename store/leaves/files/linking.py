"""What the memory and agents' files have of each other: a line, a section or all of a file adopted into
the memory, once, and a memory promoted into a file, where it stays linked by its uid.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from ...agents.homes import AgentHomes
from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...records.fields import title_of
from ...records.kinds import kind_of
from ...records.rows import Fact, Note, Observation, Record
from ...records.rows import Note as NoteRecord
from ...text.front_matter import split_front
from ...text.markup import sections
from ...text.private_tags import PROMOTED_KEY, comment, uid_in
from .agent_files import repository_of
from .editing import note_path
from .markup import INDEX, field, new_note, with_fields, with_index_line
from .places import FilePlaces
from .starts.claude import memory_folder
from .starts.gemini import private_folder
from .writing import FileWriter, existing, show

if TYPE_CHECKING:
    from pathlib import Path

    from ...curation.editing import AnyRecord
    from ...store import Store

SOURCE = "files"
Form = Literal["fact", "decision", "note"]
FORMS: tuple[Form, ...] = ("fact", "decision", "note")


@dataclass(frozen=True, slots=True)
class Passage:
    """What is to be adopted: its file, what it is called, its text, and the line (from 1) it begins at;
    `heading` is the section's, "" where it is none, and `is_line` whether it is a line by itself."""

    path: Path
    title: str
    text: str
    line: int
    heading: str = ""
    is_line: bool = False

    @property
    def name(self) -> str:
        """Return the path that it has as a note of ours."""
        return f"{self.path}#{self.heading}" if self.heading else str(self.path)

    @property
    def key(self) -> str:
        """What it is known by: its file, and a hash of what it says."""
        words = " ".join(self.text.split())
        return f"{self.path}#{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()[:16]}"


def passage(path: Path, line: int = 0, heading: str = "") -> Passage:
    """Return a bullet or line of a file, one of its sections, or (neither named) what it says below its
    front matter. Raises NotFoundError, and InvalidRecordError for what was promoted from a memory."""
    shown = existing(path)
    lines = shown.text.splitlines()
    if line:
        if not 0 < line <= len(lines) or not lines[line - 1].strip():
            raise NotFoundError("{path} says nothing in line {line}.", path=path, line=line)
        text = lines[line - 1].strip()
        if uid := uid_in(text):
            raise InvalidRecordError("That line is the memory {uid}, which was promoted there.", uid=uid)
        for mark in ("- ", "* ", "+ "):
            text = text.removeprefix(mark)
        return Passage(shown.path, text, text.strip(), line, is_line=True)
    if uid := field(shown.text, PROMOTED_KEY):
        raise InvalidRecordError(
            "{path} is the memory {uid}, which was promoted there.", path=path, uid=uid
        )
    if heading:
        parts = sections(shown.text)
        heading_text = heading.strip("# ").casefold()
        found = next((part for part in parts if part.title.casefold() == heading_text), None)
        if found is None:
            raise NotFoundError("{path} has no section {heading!r}.", path=path, heading=heading)
        ends = [part.line for part in parts if part.line > found.line and part.level <= found.level]
        text = "\n".join(lines[found.line : min(ends, default=len(lines) + 1) - 1])
        return _checked(Passage(shown.path, found.title, text.strip(), found.line, found.title))
    front = split_front(shown.text)
    title = field(shown.text, "description") or field(shown.text, "name") or shown.path.stem
    return _checked(Passage(shown.path, title, front.body.strip(), front.lines + 1))


def passages(path: Path) -> list[Passage]:
    """Return what can be adopted of a file: all of it, its sections, and its bullets. Raises what `passage`
    does for all of it."""
    passages = [passage(path)]
    lines = existing(path).text.splitlines()
    for number, text in enumerate(lines, 1):
        is_bullet = text.lstrip().startswith(("- ", "* ", "+ "))
        if is_bullet and not uid_in(text):
            passages.append(passage(path, number))
    for part in sections("\n".join(lines)):
        with suppress(InvalidRecordError, NotFoundError):
            passages.append(passage(path, heading=part.title))
    return sorted(passages, key=lambda part: (part.is_line or bool(part.heading), part.line))


def adopt(store: Store, part: Passage, form: Form, project: str) -> tuple[Record | NoteRecord, bool]:
    """Store a passage as a memory of ours, and return it, and whether it is new: a passage that was adopted
    before, and says the same, is the memory that it became."""
    place = f"{part.path}:{part.line}"
    origin: dict[str, Any] = {"source": SOURCE, "native_id": part.key}
    with store.change(_("{place} adopted", place=place)):
        if form == "note":
            known = next((note for note in store.notes.list(project) if note.native_id == part.key), None)
            if known is not None:
                return known, False
            note = store.notes.upsert(part.name, part.text, project=project, **origin)
            return note, True
        if form == "decision":
            event = f"{SOURCE}:{part.key}"
            if made := store.observations.where("event_id = ?", (event,)):
                return made[0], False
            decision = store.observations.add(
                None, title=part.title, narrative=part.text, type="decision", project=project,
                event_id=event, **origin,
            )  # fmt: skip
            return decision, True
        known_fact = store.facts.find(_statement(part), "O", project)
        if known_fact is not None:
            return known_fact, False
        fact = store.facts.add(_statement(part), project=project, sources=(place,), kind="O", **origin)
        return fact, True


INSTRUCTIONS = {
    "claude-code": "CLAUDE.md",
    "codex": "AGENTS.md",
    "copilot": ".github/copilot-instructions.md",
    "gemini": "GEMINI.md",
    "opencode": "AGENTS.md",
}
"""The agents that a memory can be promoted to by their names, and the file of the repository's root that
each is told where it has no memory of its own here."""


SHARED = "AGENTS.md"
"""The one that most agents read."""


@dataclass(frozen=True, slots=True)
class Promoted:
    """Where a memory stands now, and whether it stood there before."""

    path: Path
    is_new: bool


class Promotion:
    """Puts memories into agents' files, each call as one undo. Raises what `FileWriter` raises, and
    InvalidRecordError for what is no memory to be promoted."""

    def __init__(self, store: Store, *, is_forced: bool = False) -> None:
        self.store = store
        self.writer = FileWriter(store, is_forced=is_forced)

    def to_agent(self, ref: str, agent: str, here: AgentHomes, folder: Path) -> Promoted:
        """Promote to where an agent keeps what it remembers of a folder: a note beside its index, else a
        line of the file that it is told of the repository."""
        if agent not in INSTRUCTIONS:
            raise InvalidRecordError(
                "{agent!r} isn't one of {instructions}. Name a file with --to FILE[:HEADING].",
                agent=agent,
                instructions=_(", ").join(INSTRUCTIONS),
            )
        if agent == "claude-code":
            notes = memory_folder(here, folder)
            if (notes / INDEX).is_file():
                return self.to_note(ref, notes)
        if agent == "codex" and (memories := here.folder_of(agent) / "memories").is_dir():
            return self.to_note(ref, memories / "extensions/ad_hoc/notes")
        if agent == "gemini":
            own = private_folder(here, folder)
            if own is not None and (own / INDEX).is_file():
                return self.to_file(ref, own / INDEX)
        return self.to_file(ref, (repository_of(folder) or folder) / INSTRUCTIONS[agent])

    def to_instructions(self, ref: str, agent: str, project: str) -> Promoted:
        """Promote to the file that an agent is told of a project's repository, which is here."""
        folder = FilePlaces(AgentHomes.own(), self.store.db).folders.get(project)
        if folder is None:
            raise InvalidRecordError(
                "No folder of project {project} is on this machine.", project=project or _("everywhere")
            )
        names = (INSTRUCTIONS.get(agent, SHARED), SHARED)
        name = next((name for name in names if (folder / name).is_file()), names[0])
        return self.to_file(ref, folder / name)

    def to_file(self, ref: str, path: Path, heading: str = "") -> Promoted:
        """Promote as a bullet: in the last place of a section, else of the file; one that is there already
        says what the memory says now."""
        record = self._memory(ref)
        shown = show(path)
        line = f"- {_line_of(record)} {comment(record.uid)}\n"
        lines = shown.text.splitlines(keepends=True)
        places = [place for place, text in enumerate(lines) if uid_in(text) == record.uid]
        if places:
            lines[places[0]] = line if lines[places[0]].endswith("\n") else line.rstrip("\n")
            text = "".join(lines)
        else:
            text = _with_bullet(shown.text, line, heading)
        self.writer.write(shown, text, _promoted(record, ref, shown.path, is_new=not places))
        return Promoted(shown.path, not places)

    def to_note(self, ref: str, folder: Path) -> Promoted:
        """Promote as a note with front matter, and its line in the index where there is one."""
        record = self._memory(ref)
        title, body = title_of(record), _body_of(record)
        path = next((note for note in sorted(folder.glob("*.md")) if self._is_of(note, record.uid)), None)
        is_new = path is None
        shown = show(path or note_path(folder, title))
        if is_new:
            text = with_fields(
                new_note(shown.path.stem, title, "project", body), {PROMOTED_KEY: record.uid}
            )
        else:
            front = split_front(shown.text)
            head = shown.text[: len(shown.text) - len(front.body)]
            text = with_fields(f"{head}\n{body}\n", {"description": title})
        with self.store.change(_promoted(record, ref, shown.path, is_new=is_new)):
            self.writer.write(shown, text, "")
            if (folder / INDEX).is_file():
                listed = show(folder / INDEX)
                name = shown.path.name
                index = with_index_line(listed.text, title.rstrip("."), name, _line_of(record))
                self.writer.write(listed, index, "")
        return Promoted(shown.path, is_new)

    def _is_of(self, path: Path, uid: str) -> bool:
        return path.is_file() and path.name != INDEX and field(show(path).text, PROMOTED_KEY) == uid

    def _memory(self, ref: str) -> AnyRecord:
        record = self.store.any_record(ref)
        if not isinstance(record, Fact | Observation | Note):
            raise InvalidRecordError("{ref} can't be promoted: facts, observations and notes can.", ref=ref)
        if record.private or record.deleted_at is not None:
            raise InvalidRecordError(
                "{ref} is private: no agent is told it."
                if record.private
                else "{ref} is deleted: no agent is told it.",
                ref=ref,
            )
        if self.store.reviewing.is_waiting(record):
            raise InvalidRecordError("{ref} waits for your word: accept it first (`mem review`).", ref=ref)
        return record


def _statement(part: Passage) -> str:
    return " ".join(part.text.split())


def _checked(part: Passage) -> Passage:
    if not part.text:
        raise InvalidRecordError("{path} says nothing there.", path=part.path)
    return part


LONGEST_LINE = 400
"""Characters of a memory in a bullet."""


def _promoted(record: AnyRecord, ref: str, path: Path, *, is_new: bool) -> str:
    """Return what the journal calls a promotion."""
    kind = _(kind_of(record))
    if is_new:
        return _("{kind} {ref} promoted to {path}", kind=kind, ref=ref, path=path)
    return _("{kind} {ref} renewed in {path}", kind=kind, ref=ref, path=path)


def _line_of(record: AnyRecord) -> str:
    """Return a memory in a line."""
    title, body = title_of(record), _body_of(record)
    rest = body.removeprefix(title).strip()
    text = " ".join((f"{title}: {rest}" if rest and title != body else title).split())
    text = text.replace("<!--", "").replace("-->", "")
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"


def _body_of(record: AnyRecord) -> str:
    """Return all that a memory says."""
    if isinstance(record, Fact):
        return record.content
    if isinstance(record, Note):
        return record.text
    assert isinstance(record, Observation)
    parts = (record.narrative or record.text or "", *(f"- {fact}" for fact in record.facts))
    return "\n".join(filter(None, parts)) or title_of(record)


def _with_bullet(text: str, line: str, heading: str) -> str:
    lines = text.splitlines(keepends=True)
    end = len(lines)
    if heading:
        parts = sections(text)
        heading_text = heading.strip("# ").casefold()
        found = next((part for part in parts if part.title.casefold() == heading_text), None)
        if found is None:
            gap = "\n" if text and not text.endswith("\n\n") else ""
            ending = "" if not text or text.endswith("\n") else "\n"
            return f"{text}{ending}{gap}## {heading.strip('# ')}\n\n{line}"
        later = [part.line - 1 for part in parts if part.line > found.line]
        end = min([part for part in later if part < end], default=end)
    place = end
    while place and not lines[place - 1].strip():
        place -= 1
    before = lines[:place]
    if before and not before[-1].endswith("\n"):
        before[-1] += "\n"
    is_list = bool(before) and before[-1].lstrip().startswith(("- ", "* ", "+ "))
    if before and not is_list:
        before.append("\n")
    return "".join([*before, line, *lines[place:]])

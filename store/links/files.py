"""The files that a memory names, and where they are on this machine.

Memories come from other machines, and folders move: a path is looked for where the session ran,
then wherever its project lies here. Stored paths are anybody's: only regular files are opened, by
their absolute path.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..fields import files_of, filled_fields
from ..records import Observation, Session
from ..records.dataclasses import dataclass, replace
from ..regular_file import KINDS
from ..store import Store
from ..translation import _
from .folders import project_folders
from .lines import line_in_input, line_in_texts, line_of_change, mentions

if TYPE_CHECKING:
    from ..curation.editing import AnyRecord

MOST = 200
"""Files that are listed of one memory."""
MOST_MENTIONED = 100
"""Names in a text that are looked for."""

Use = Literal["modified", "read", "named"]


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file that a memory names, by `name`, and what it says of it.

    `path` is where it lies here, or would lie; `line` is the line to open it at, from 1, 0 where none is
    known. `folder` is the project's, None where that isn't known; `is_outside` whether the file lies
    elsewhere. `trouble` says why it can't be opened, `` where it can.
    """

    name: str
    use: Use
    path: Path | None
    line: int = 0
    folder: Path | None = None
    is_outside: bool = False
    trouble: str = ""


def file_links(store: Store, record: AnyRecord, name: str = "") -> list[FileLink]:
    """Return the files of a record: those that it lists, then those that its texts name and that are
    there; of a session, those of its observations. With a `name`, that file alone. What another
    machine's files are called there isn't looked for here."""
    machine = store.machine_name(record.origin)
    session = store.sessions.of_record(record)
    project = session.project if session is not None else getattr(record, "project", "")
    folders = project_folders(store, session, project)
    about = _about(store, record)
    listed = [(text, use) for text, use in listed_files(about) if name in ("", text)]
    if machine:
        trouble = _("It is a file of {machine}, and isn't opened here.", machine=machine)
        return [FileLink(word, use, None, 0, None, False, trouble) for word, use in listed[:MOST]]
    results: dict[Path | str, FileLink] = {}
    for word, use in listed[:MOST]:
        link = find_file(word, folders, use)
        results.setdefault(link.path or word, _at_line(store, link, about))
    if not name and not isinstance(record, Session):
        for mentioned, line in _mentioned(texts_of(record)):
            link = find_file(mentioned, folders, "named")
            if link.path is not None and not link.trouble and len(results) < MOST:
                results.setdefault(link.path, replace(link, line=line))
    return list(results.values())


def find_file(name: str, folders: Sequence[Path], use: Use) -> FileLink:
    """Return where a file lies that is named as agents do: from one of the project's folders, or from
    the root. What is no file to read, or isn't there, is told in its `trouble`."""
    folder = folders[0] if folders else None
    if not name.strip() or not name.isprintable():
        return FileLink(name, use, None, 0, folder, False, _("Its name can't be that of a file."))
    written = os.path.expanduser(name) if name.startswith("~/") else name  # noqa: PTH111
    last: FileLink | None = None
    for base, path in _candidates(written, folders):
        try:
            status = path.stat()
        except (OSError, ValueError):
            continue
        trouble = "" if stat.S_ISREG(status.st_mode) else _other(status.st_mode)
        last = FileLink(name, use, path, 0, base, _is_outside(path, folders), trouble)
        if not trouble:
            return last
    return last or FileLink(
        name, use, None, 0, folder, written.startswith("/"), _not_there(written, folders)
    )


def texts_of(record: AnyRecord) -> list[str]:
    """Return the texts that a record holds."""
    texts: list[str] = []
    for field, value in filled_fields(record):
        if field.form == "items":
            texts += value
        elif field.form == "text" or field.says or field.name == "title":
            texts.append(value)
    return texts


def _candidates(name: str, folders: Sequence[Path]) -> Iterator[tuple[Path | None, Path]]:
    """Yield where a file may lie, each with the folder that it is looked for from."""
    if not name.startswith("/"):
        for folder in folders:
            yield folder, Path(os.path.normpath(folder / name))
        return
    path = Path(os.path.normpath(name))
    inside = next((item for item in folders if path.is_relative_to(item)), None)
    yield inside or (folders[0] if folders else None), path
    # As another machine, or a folder that was moved, had it.
    for folder in folders:
        if folder.name in path.parts[1:-1]:
            after = len(path.parts) - path.parts[::-1].index(folder.name)
            yield folder, folder.joinpath(*path.parts[after:])


def _is_outside(path: Path, folders: Sequence[Path]) -> bool:
    """Return whether a file lies in none of the folders, links followed."""
    real = os.path.realpath(path)
    return bool(folders) and not any(
        Path(real).is_relative_to(os.path.realpath(folder)) for folder in folders
    )


def _other(mode: int) -> str:
    content = KINDS.get(stat.S_IFMT(mode), _("it is not a file"))
    return f"{content[:1].upper()}{content[1:].partition(';')[0]}."


def _not_there(name: str, folders: Sequence[Path]) -> str:
    if name.startswith("/"):
        return _("It isn't there.")
    if not folders:
        return _("Where its project lies isn't known here.")
    places = _(" or ").join(map(str, folders[:2]))
    if len(folders) > 2:
        return _("It isn't in {places} or {number} more folders.", places=places, number=len(folders) - 2)
    return _("It isn't in {places}.", places=places)


def _about(store: Store, record: AnyRecord) -> Sequence[AnyRecord]:
    """Return the records that tell of files: of a session its observations, the newest first."""
    if isinstance(record, Session):
        return [*store.observations.of_session(record)][::-1]
    return [record]


def listed_files(records: Iterable[AnyRecord]) -> list[tuple[str, Use]]:
    """Return the files that records list, the modified ones first."""
    modified: dict[str, None] = {}
    read: dict[str, None] = {}
    for record in records:
        changed, looked_at = files_of(record)
        modified |= dict.fromkeys(changed)
        read |= dict.fromkeys(looked_at)
    return [
        *((text, "modified") for text in modified),
        *((name, "read") for name in read if name not in modified),
    ]


def _at_line(store: Store, link: FileLink, records: Sequence[AnyRecord]) -> FileLink:
    """Return a file with the line at which the records are about it, if any tells one."""
    if link.path is None or link.trouble:
        return link
    for record in records:
        names = [name for name, _ in listed_files([record])]
        if link.name in names:
            texts = texts_of(record)
            line = line_in_texts(link.name, texts, is_only=len(names) == 1)
            line = line or line_in_input(link.name, _tool_input(store, record))
            if not line and link.use == "modified":
                line = line_of_change(link.path, texts)
            if line:
                return replace(link, line=line)
    return link


def _mentioned(texts: Iterable[str]) -> list[tuple[str, int]]:
    results: dict[str, int] = {}
    for text in texts:
        for name, line in mentions(text):
            if len(results) >= MOST_MENTIONED:
                break
            results[name] = results.get(name) or line
    return list(results.items())


def _tool_input(store: Store, record: AnyRecord) -> str | None:
    """Return what the tool was given that an observation tells of, where the queue still has it."""
    if not isinstance(record, Observation):
        return None
    made = store.pending.where("observation_id = ? LIMIT 1", (record.id,))
    return made[0].tool_input if made else None

"""The files and web pages that a memory names; where the files are on this machine, and which of their
lines it is about.

Memories come from other machines, and folders move: a path is looked for where the session ran,
then wherever its project lies here. Stored paths are anybody's: only regular files are opened, by
their absolute path.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from ..platform.paths import current_folder
from ..platform.regular_file import KINDS, read_regular
from ..platform.translation import _
from ..records.dataclasses import dataclass, replace
from ..records.fields import files_of, filled_fields
from ..records.rows import Observation, Session
from ..store import Store
from ..tables.changed_files import known_roots, session_places
from ..tables.repositories import locate
from ..text.display import safe
from ..text.language.scripts import UNSPACED

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
        return _("Where its project lies isn't known here; start memtui in its repository.")
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


LARGEST = 4 << 20
"""Bytes of a file in which a changed line is looked for."""
SHORTEST = 6
"""Characters of a line by which it is told from others."""
MOST_LINE = 9_999_999

_MENTION = re.compile(
    r"(?<![\w./~-])(?P<path>(?:~/|\.{1,2}/|/)?[\w.@+-]+(?:/[\w.@+-]+)*)"
    r"`?(?:[:：(]|#L|,? \(?(?:lines? |L)| ?\((?:lines? |L)| ?的?第 ?)(?P<line>[1-9]\d{0,6})"
    r"(?:(?:[-–至到]| to )L?(?P<last>[1-9]\d{0,6}))?(?![\d.]*[A-Za-z0-9_])"
)
_LINES_OF = re.compile(
    r"\b[Ll]ines? (?P<line>[1-9]\d{0,6})(?:(?:[-–]| to )(?P<last>[1-9]\d{0,6}))? (?:of|in) `?"
    r"(?P<path>[\w.@+/~-]*[\w])"
)
_TRACEBACK = re.compile(r'File "(?P<path>[^"\n]{1,1000})", line (?P<line>[1-9]\d{0,6})\b')
_PATH = re.compile(r"(?<![\w./~:-])(?:~/|\.{1,2}/|/)?[\w.@+-]+(?:/[\w.@+-]+)+(?![\w/])")
_HUNK = re.compile(
    r"^(?:\+\+\+ (?:b/)?(?P<path>\S.*?)|@@ -\d+(?:,\d+)? \+(?P<line>\d{1,7})(?:,\d+)? @@.*)$",
    re.MULTILINE,
)
_BARE = re.compile(r"\blines? (?P<line>[1-9]\d{0,6})\b(?! (?:added|removed|changed|of|long))")
_ADDED = re.compile(r"^\+ (?P<text>.*\S.*)$", re.MULTILINE)

PATHS = (
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "filename",
)
STARTS = ("offset", "line", "line_number", "start_line", "startLine", "start_line_one_indexed")


def same_file(text: str, other: str) -> bool:
    """Return whether two names may be of one file: equal, or one of them the end of the other."""
    text, other = text.removeprefix("./"), other.removeprefix("./")
    return text == other or text.endswith(f"/{other}") or other.endswith(f"/{text}")


def mentions(text: str) -> Iterator[tuple[str, int]]:
    """Yield the paths that a text names, with the line that it names of each, 0 for none."""
    for pattern in (_TRACEBACK, _MENTION):
        for match in pattern.finditer(text):
            yield match["path"].lstrip("@"), int(match["line"])
    for match in _PATH.finditer(text):
        yield match[0].lstrip("@").rstrip("."), 0


def citations(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the lines that a text cites, each file with the first and the last of them."""
    for pattern in (_MENTION, _LINES_OF):
        for match in pattern.finditer(text):
            yield match["path"].lstrip("@"), int(match["line"]), int(match["last"] or match["line"])


def line_in_texts(name: str, texts: Sequence[str], *, is_only: bool) -> int:
    """Return the line that texts name of a file: `path:12`, a traceback, the hunk of a diff; 0 for
    none. `is_only` is whether they are about this file alone."""
    for text in texts:
        for path, line in mentions(text):
            if line and same_file(path, name):
                return line
    for text in texts:
        if line := _hunk_line(name, text, is_only=is_only):
            return line
    if is_only:
        for text in texts:
            if match := _BARE.search(text):
                return int(match["line"])
    return 0


def line_in_input(name: str, given: str | None) -> int:
    """Return the line from which a tool was to read or change a file, by its input as JSON; 0 where it
    says none."""
    fields: Any = None
    with suppress(ValueError, RecursionError):
        fields = json.loads(given or "")
    if not isinstance(fields, dict):
        return 0
    path = next((item for key in PATHS if isinstance(item := fields.get(key), str)), "")
    if not path or not same_file(path, name):
        return 0
    result = next((item for key in STARTS if _is_line(item := fields.get(key))), None)
    between = fields.get("view_range")
    if result is None and isinstance(between, list) and between and _is_line(between[0]):
        result = between[0]
    return int(result or 0)


def line_of_change(path: Path, texts: Iterable[str]) -> int:
    """Return the line of a file at which what a diff in some texts added stands now; 0 where it doesn't.
    A line that stands there once goes before one that is there often."""
    added = [
        line
        for text in texts
        for match in _ADDED.finditer(text)
        if len(line := match["text"].strip()) >= SHORTEST
    ]
    if not added:
        return 0
    try:
        lines = read_regular(path, LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return 0
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        places.setdefault(line.strip(), []).append(number)
    results = [places[line] for line in added if line in places]
    return next((numbers[0] for numbers in results if len(numbers) == 1), results[0][0] if results else 0)


def _hunk_line(name: str, text: str, *, is_only: bool) -> int:
    is_here = is_only
    for match in _HUNK.finditer(text):
        if match["path"] is not None:
            is_here = same_file(match["path"], name)
        elif is_here and (line := int(match["line"])):
            return line
    return 0


def _is_line(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_LINE


MOST_FOLDERS = 20
"""Folders of one project in which a file is looked for."""


def project_folders(store: Store, session: Session | None, project: str) -> list[Path]:
    """Return the folders in which files of a project lie, those that are there: where the session was
    at work, its working copy and repository, then the repository here where it is the project's, then
    where else the project was seen."""
    results = _around(session.project_path) if session is not None else {}
    if project:
        here = current_folder()
        if here is not None and store.known_projects.named_at(here) == project:
            results |= _around(here)
        for place in known_roots(store.db):
            if place.project == project:
                results |= _around(place.path)
        if not results:
            for place in session_places(store.db):
                if place.project == project:
                    results |= _around(place.path)
    return list(results)[:MOST_FOLDERS]


def _around(path: str | None) -> dict[Path, None]:
    if not path or not path.startswith("/"):
        return {}
    try:
        place = locate(path)
        folders = dict.fromkeys((path, place.folder, place.root))
        return {Path(folder): None for folder in folders if os.path.isdir(folder)}  # noqa: PTH112
    except (OSError, ValueError):
        return {}


MOST_ADDRESSES = 100
"""Addresses that are listed of one memory."""
LONGEST_ADDRESS = 2_000
"""Characters of an address; browsers take no more."""

_ADDRESS = re.compile(
    r"(?<![a-z0-9])https?://[^\s<>\"'`{}|\\^\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff65]+",
    re.IGNORECASE,
)
_GOES_ON = re.compile(rf"(?<=[a-zA-Z0-9])[{UNSPACED}]")
"""Where a sentence goes on right behind an address, in a script that has no spaces."""
_CLOSING = {")": "(", "]": "["}
_ENDING = ".,;:!?…*_"
"""What ends a sentence, or emphasis, and no address."""


@dataclass(frozen=True, slots=True)
class WebLink:
    """An address of the web as a text names it: `host` is whom it leads to, in ASCII. `trouble` says
    why it isn't opened, `` where it can be."""

    address: str
    host: str
    trouble: str = ""


def urls_in(texts: Iterable[str]) -> list[WebLink]:
    """Return the http and https addresses in some texts, each once, in their order; nothing else is an
    address of the web, and none opens a file or runs a script."""
    results = (match[0] for text in texts for match in _ADDRESS.finditer(text))
    return list(
        islice((_web_link(name) for name in dict.fromkeys(map(_trimmed, results)) if name), MOST_ADDRESSES)
    )


def _trimmed(address: str) -> str:
    """Return an address without what closes the sentence or the bracket around it."""
    address = _GOES_ON.split(address, maxsplit=1)[0]
    while address:
        last = address[-1]
        if last in _ENDING or (last in _CLOSING and address.count(last) > address.count(_CLOSING[last])):
            address = address[:-1]
        else:
            break
    return address


def _web_link(address: str) -> WebLink:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        parts.port  # noqa: B018 - raises ValueError where it is none
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError:
        return WebLink(address, "", _("It is not a web address."))
    if not host:
        return WebLink(address, host, _("It names no host."))
    if not address.isprintable() or safe(address) != address:
        return WebLink(address, host, _("It holds characters that can't be seen."))
    if len(address) > LONGEST_ADDRESS:
        return WebLink(
            address, host, _("It is longer than {longest} characters.", longest=f"{LONGEST_ADDRESS:,}")
        )
    return WebLink(address, host)

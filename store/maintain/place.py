"""What `mem doctor` says of a memory's place before it is opened, which mends some of it: the file and
what lies beside it, permissions, room on the disk; and of a memory that no store can be opened on.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import disk_usage

import apsw

from ..capture.health import directory_check, pause_checks
from ..capture.ingest import spool
from ..capture.ingest.spool import folders
from ..config import config_path, misspelt
from ..database import file
from ..database.connection import wait_when_busy
from ..database.files import leftovers, permissions
from ..database.health import RESTORE, Check, file_checks, guarded, schema_checks
from ..database.schema import APPLICATION_ID
from ..observe.jobs.checks import configuration_check
from ..platform.errors import ConfigurationError, StoreError
from ..platform.processes import has_no_room_for_files, is_read_only
from ..platform.system import HAS_POSIX, posix
from ..platform.translation import N_, _
from ..search.index import full_text as index
from ..text import clean
from ..text.plural import count_noun
from .configuration import key_problems


def place_checks(path: Path) -> list[Check]:
    """Look at the place of a memory, whether it can be opened or not. Nothing is changed, and
    whatever can't be looked at is said."""
    checks: list[Check] = []
    for name, examine in (
        (N_("place"), _file), (N_("permissions"), _permissions), (N_("disk"), _disk),
        (N_("log"), _log), ("spool directory", _spool), (N_("configuration"), _configuration),
        (N_("system"), _system),
    ):  # fmt: skip
        try:
            checks.extend(examine(path))
        except OSError as error:
            place = error.filename or path
            content = _("{path} can't be looked at ({error})", path=place, error=error.strerror)
            advice = _("Check the permissions of its directory.")
            checks.append(Check(name, False, content, advice))
    return checks


def checks_unopened(path: Path) -> list[Check]:
    """Examine the pages and the schema of a file as far as SQLite can read it, and what is told
    without one: the events that wait, pauses and the observer's configuration."""
    checks = [*_file_checks(path)] if path.is_file() and path.stat().st_size else []
    checks.extend(_waiting(path))
    checks.extend(pause_checks(path))
    checks.append(configuration_check())
    return checks


ROOM = 100_000_000
"""Bytes that have to be free beside a memory, or twice its own size where that is more."""

LONG_LOG = 64_000_000
"""A write-ahead log of so many bytes is no longer emptied by those who write."""

LONGEST_CONFIGURATION = 1_000_000


def _system(_path: Path) -> Iterator[Check]:
    if HAS_POSIX:
        return
    content = _(
        "this system has no processes that can be left behind: an agent waits while a hook stores its "
        "event; and who else may read a file isn't checked"
    )
    yield Check(N_("system"), True, content)


def _file(path: Path) -> Iterator[Check]:
    name = "place"
    try:
        status = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            content = _("{path} is a link that leads nowhere ({target})", path=path, target=path.readlink())
            advice = _("Put the store back where it leads, or remove the link.")
            yield Check(name, False, content, advice)
        return
    kind = _kind(status.st_mode)
    if kind != "file":
        content = _("{path} is a {kind}, not a store", path=path, kind=_(kind))
        advice = _("Name a database file with --db, or move that away.")
        yield Check(name, False, content, advice)
        return
    is_own = posix.geteuid() in (0, status.st_uid)
    is_empty = status.st_size == 0
    parts = [str(path)]
    if path.is_symlink():
        parts.append(_("a link to {path}", path=path.resolve()))
    if not is_own:
        parts.append(_("another user's"))
    if is_empty:
        parts.append(_("an empty file"))
    yield Check(
        name,
        is_own and not is_empty,
        _(", ").join(parts),
        _("Put a backup in its place (`mem store restore-backup FILE`), or start over: `mem store reset`.")
        if is_empty
        else _("chown it to the user whose agents write here."),
    )
    unwritable = [item for item in (path, path.resolve().parent) if not os.access(item, os.W_OK)]
    if is_read_only(path):
        content = _("the file system of {path} is read-only", path=path)
        advice = _("Mount it for writing; until then it is only read.")
        yield Check(N_("writing"), False, content, advice)
    elif unwritable:
        content = _("{path} can't be written", path=unwritable[0])
        yield Check(N_("writing"), False, content, f"chmod u+rwX {unwritable[0]}")
    if leftovers.is_foreign(path):
        yield Check(
            N_("left beside"),
            False,
            _("a log or journal beside {path} is not its own", path=path),
            _("The next command that writes moves it aside; look at it if something is missing."),
        )


def _permissions(path: Path) -> Iterator[Check]:
    wide = [*permissions.too_wide(path), *_wide_spools(path)]
    names = _(", ").join(f"{place} ({mode:04o})" for place, mode in wide[:5])
    if len(wide) > 5:
        names = _("{items} and {number} more", items=names, number=len(wide) - 5)
    yield Check(
        "permissions",
        not wide,
        _("others may use {paths}", paths=names) if wide else _("for your eyes only"),
        _("The next command that writes narrows the store's own; the rest: chmod go-rwx."),
    )


def _wide_spools(path: Path) -> Iterator[tuple[Path, int]]:
    backups = path.with_name(path.name + "-backups")
    for folder in (*folders(path), backups):
        if not folder.is_dir() or folder.is_symlink():
            continue
        inner = sorted(folder.iterdir()) if os.access(folder, os.R_OK | os.X_OK) else []
        for place in inner if folder == backups else (folder, *inner):
            status = place.lstat()
            mode = stat.S_IMODE(status.st_mode)
            if mode & permissions.OTHERS and not stat.S_ISLNK(status.st_mode):
                yield place, mode


def _disk(path: Path) -> Iterator[Check]:
    folder = next((item for item in (path, *path.absolute().parents) if item.exists()), Path("/"))
    free = disk_usage(folder).free
    size = path.stat().st_size if path.exists() else 0
    wanted = max(ROOM, 2 * size)
    yield Check(
        "disk",
        free >= wanted,
        _("{number} MB free", number=f"{free / 1e6:,.0f}"),
        _(
            "Make room on the disk of {folder}: {number} MB let a backup or a rebuild be made.",
            folder=folder,
            number=f"{wanted / 1e6:,.0f}",
        ),
    )
    if has_no_room_for_files(folder):
        content = _("no file can be made on the disk of {folder}", folder=folder)
        advice = _("Remove some files: its table of files is full.")
        yield Check(N_("disk files"), False, content, advice)


def _log(path: Path) -> Iterator[Check]:
    log = path.with_name(path.name + "-wal")
    if not log.exists():
        return
    if (kind := _kind(log.lstat().st_mode)) != "file":
        content = _("{path} is a {kind}", path=log, kind=_(kind))
        yield Check("log", False, content, _("Remove it while no program has the store open."))
        return
    size = log.stat().st_size
    yield Check(
        "log",
        size < LONG_LOG,
        _("{number} MB wait in the write-ahead log", number=f"{size / 1e6:,.1f}"),
        _("Something reads without end: close programs that have the store open, then run any command."),
    )


def _spool(path: Path) -> Iterator[Check]:
    if path.exists():
        yield directory_check(path)


def _configuration(_path: Path) -> Iterator[Check]:
    place = config_path()
    if not place.exists() and not place.is_symlink():
        return
    name = "configuration"
    if not place.is_file():
        content = _("{path} is not a file", path=place)
        yield Check(name, False, content, _("Move it away; without it the rules observe."))
        return
    try:
        wrong = misspelt(place) or " ".join(map(str, key_problems(place)))
    except ConfigurationError as error:
        yield Check(name, False, str(error), _("What it says is not done until then."))
        return
    text = place.read_bytes()[:LONGEST_CONFIGURATION].decode("utf-8", "replace")
    is_wide = bool(place.stat().st_mode & permissions.OTHERS) and clean(text) != text
    if is_wide:
        content = _("{path} holds a key, and others may read it", path=place)
        yield Check(name, False, content, f"chmod 600 {place}")
        return
    yield Check(name, not wrong, wrong or str(place), _("Fix it in {path}.", path=place))


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFREG: N_("file"), stat.S_IFDIR: N_("directory"), stat.S_IFLNK: N_("link"),
        stat.S_IFIFO: N_("named pipe"), stat.S_IFSOCK: N_("socket"), stat.S_IFCHR: N_("device"),
        stat.S_IFBLK: N_("device"),
    }  # fmt: skip
    return kinds.get(stat.S_IFMT(mode), N_("thing of an unknown kind"))


PATIENCE_SECONDS = 0.5


def _file_checks(path: Path) -> Iterator[Check]:
    try:
        name, flags = file.ready(path, read_only=True)
        with closing(apsw.Connection(name, flags=flags)) as db:
            wait_when_busy(db, PATIENCE_SECONDS)
            if db.pragma("application_id") != APPLICATION_ID:
                return
            for examination in file_checks(db):
                yield from guarded("file", examination, RESTORE)
            scripts = index.scripts(index.wanted(db))
            yield from guarded("tables", lambda: schema_checks(db, scripts), RESTORE)
    except (apsw.Error, StoreError) as error:
        yield Check("file", False, _("SQLite can't read it ({error})", error=error), RESTORE)


def _waiting(path: Path) -> Iterator[Check]:
    try:
        waiting = sum(segment.unstored for segment in spool.segments(path))
    except OSError as error:
        content = f"{error.filename}: {error.strerror}"
        yield Check("spool", False, content, _("Check its permissions."))
        return
    if waiting:
        yield Check(
            "spool",
            False,
            _("{bytes} of events wait", bytes=count_noun(waiting, "bytes")),
            _("They are kept, and stored once the store can be opened."),
        )

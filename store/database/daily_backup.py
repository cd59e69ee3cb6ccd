"""A backup a day, where the user's configuration asks for it."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import apsw

from ..config import BackupSettings, backup_settings
from ..database import backup
from ..platform.errors import ConfigurationError
from ..platform.translation import N_, _
from ..text.plural import count_noun
from .health import Check

DAY_SECONDS = 86_400
REASON = "daily"


def is_due(path: Path) -> bool:
    """Return whether a daily backup is asked for, and the last one is a day old or missing."""
    return _due(path) is not None


def back_up_if_due(db: apsw.Connection, path: Path) -> Path | None:
    """Make the day's backup of an open memory, once however many processes ask; None where there is
    none to be made. Not for where an agent waits."""
    if _due(path) is None:
        return None
    with suppress(OSError), backup.lock(path) as is_held:
        settings = _due(path)
        if is_held and settings is not None:
            return backup.automatic_backup(db, path, REASON, settings.keep)
    return None


def backup_check(path: Path) -> Check:
    """Return how old the newest backup is: not well where daily ones are asked for and there is none
    of the last two days, or the newest are of a damaged memory."""
    try:
        settings = backup_settings()
    except ConfigurationError as error:
        return Check(N_("backup"), False, str(error), _("Fix that file."))
    known = backup.known_backups(path)
    sound = [copy for copy in known if not backup.is_of_damaged(copy)]
    remedy = "mem backup"
    if not sound:
        result = _("all {number} are of a damaged store", number=len(known)) if known else _("none yet")
        return Check("backup", not settings.daily and not known, result, remedy)
    age = max(0.0, time.time() - sound[0].stat().st_mtime)
    result = _(
        "{number}, the newest {age} old: {path}",
        number=len(sound),
        age=spoken_age(age),
        path=sound[0],
    )
    return Check("backup", not settings.daily or age < 2 * DAY_SECONDS, result, remedy)


def spoken_age(seconds: float) -> str:
    """Return a time as people say it: 5 minutes, 3 hours, 12 days."""
    for unit, size in ((N_("days"), DAY_SECONDS), (N_("hours"), 3_600), (N_("minutes"), 60)):
        if seconds >= size:
            return count_noun(int(seconds // size), unit)
    return _("less than a minute")


def _due(path: Path) -> BackupSettings | None:
    with suppress(ConfigurationError):
        settings = backup_settings()
        if settings.daily:
            newest = next(iter(backup.stamped_backups(path, REASON)), None)
            with suppress(OSError):
                if newest is None or time.time() - newest.stat().st_mtime >= DAY_SECONDS:
                    return settings
    return None

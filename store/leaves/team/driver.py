"""psycopg, by which a team's server is reached, its errors as sentences, and DSNs: the addresses of a
server and of its replica, and what members log in by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...platform.errors import InvalidRecordError, StoreError
from ...platform.translation import _

try:
    import psycopg as psycopg
    from psycopg import errors as errors
    from psycopg import sql as sql
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
except ImportError as error:
    raise StoreError(
        "A team's server is reached by psycopg, which is not here: pip install 'memtui[team]'."
    ) from error


class TeamError(StoreError):
    """The team's server could not do what was asked; nothing was lost, and the next meeting goes on."""


@contextmanager
def translated(passing: tuple[type[psycopg.Error], ...] = ()) -> Iterator[None]:
    """Have what the server says be a sentence, but for the errors that pass."""
    try:
        yield
    except passing:
        raise
    except psycopg.Error as error:
        raise TeamError(_sentence(error)) from error


_BY_STATE = {
    "25006": _(
        "The team's server only takes reads now; what waits is kept, and goes when it takes writes."
    ),
    "53100": _("The disk of the team's server is full; what waits is kept."),
    "57014": _("The team's server took too long to answer."),
    "3F000": _("There is no team in this database; `mem team create` makes one."),
    "42P01": _("There is no team in this database; `mem team create` makes one."),
}
_BY_WORDS = (
    (
        "password",
        _("The team's server does not accept the password: see libpq's password file, ~/.pgpass."),
    ),
    (
        "certificate",
        _(
            "The certificate of the team's server is not to be trusted: it expired, is for another name, "
            "or of an authority that sslrootcert does not name. {error}"
        ),
    ),
    (
        "unexpected eof",
        _("The line to the team's server was cut; everything here goes on, and what waits is kept."),
    ),
    ("does not exist", _("The team's server does not know that: {error}")),
    ("permission denied", _("The team's server does not allow that: {error}")),
    ("not permitted to log in", _("The team's server lets you log in no more.")),
    (
        "no pg_hba.conf entry",
        _("The team's server does not let you in from here, or not like this: {error}"),
    ),
    ("SSL", _("The connection to the team's server could not be made safe: {error}")),
)


def _sentence(error: psycopg.Error) -> str:
    line = first_line(error)
    if error.sqlstate in _BY_STATE:
        return _BY_STATE[error.sqlstate]
    for words, sentence in _BY_WORDS:
        if words in line:
            return sentence.format(error=line)
    if error.sqlstate == "42501":
        return line
    if isinstance(error, psycopg.OperationalError):
        return _(
            "The team's server is away ({error}); everything here goes on, and what waits is kept.",
            error=line,
        )
    return _("The team's server could not do that: {error}", error=line)


def first_line(error: BaseException) -> str:
    """Return the first line of what the server says, without its mark."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).removeprefix("ERROR:").strip()[:300]


def without_password(dsn: str) -> tuple[str, str | None]:
    """Return a DSN without its password, and that. Raises InvalidRecordError for what is no DSN."""
    try:
        parts: dict[str, Any] = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError as error:
        raise InvalidRecordError(
            "That is not the address of a database ({error}): give postgresql://USER@HOST/DATABASE.",
            error=first_line(error),
        ) from error
    password = parts.pop("password", None)
    return make_conninfo(**parts), None if password is None else str(password)


def replica_dsn(dsn: str, read_dsn: str) -> str:
    """Return where a replica is, for who logs in at a server by a DSN. Raises InvalidRecordError where that
    says who logs in."""
    parts, replica = conninfo_to_dict(dsn), conninfo_to_dict(read_dsn)
    if {"user", "password"} & replica.keys():
        raise InvalidRecordError(
            "Each member logs in at the replica as themselves: give its host and port alone."
        )
    parts.pop("hostaddr", None)
    merged: dict[str, Any] = parts | replica
    return make_conninfo("", **merged)


def invitation(dsn: str, name: str, password: str | None) -> str:
    """Return the DSN by which a new member joins, at the server of one's own."""
    parts: dict[str, Any] = conninfo_to_dict(dsn)
    address = {key: parts[key] for key in ("host", "port", "dbname", "sslmode") if key in parts}
    return make_conninfo(**address, user=name, password=password)


def passfile_line(dsn: str, password: str) -> str:
    """Return the line of a password file of libpq for a DSN."""
    parts = conninfo_to_dict(dsn)
    names = ("host", "port", "dbname", "user")
    values = [*(str(parts.get(name) or "*") for name in names), password]
    return ":".join(re.sub(r"([:\\])", r"\\\1", value) for value in values) + "\n"

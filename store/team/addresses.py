"""DSNs: the addresses of a team's server and of its replica, and what members log in by."""

from __future__ import annotations

import re
from typing import Any

from ..errors import InvalidRecordError
from .driver import conninfo_to_dict, first_line, make_conninfo, psycopg


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

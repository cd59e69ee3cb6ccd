"""Time, identity and order: the few values every new row needs, without importing anything big."""

from __future__ import annotations

import time

from .system import posix

DAY_MS = 86_400_000

LATEST_CLOCK = (1 << 63) - 1
"""The greatest number that a column holds; a clock that another program set so high stays there."""

TOUCH = f"""updated_at = :now, editor = :machine,
hlc = max(:now << 16, min(hlc, {LATEST_CLOCK - 1}) + 1)"""
"""What an UPDATE of a record sets beside its own columns: when, where, and a clock that never goes
back (see `hybrid_clock`). Bound are `now` in ms and `machine`."""


def now_ms() -> int:
    """The present, in milliseconds since the epoch, UTC."""
    return time.time_ns() // 1_000_000


def local_time(at: int, pattern: str = "%Y-%m-%d %H:%M") -> str:
    """A moment (ms since the epoch, UTC) as local date and time, to the minute, or as the pattern says;
    one that no calendar has as its number."""
    from datetime import datetime

    try:
        return datetime.fromtimestamp(at / 1000).strftime(pattern)
    except (ValueError, OverflowError, OSError):
        return str(at)


def horizon_ms() -> int:
    """A day from now: what is dated later can't have happened, and is listed after all that has. Up to
    there a clock may be in another time zone."""
    return now_ms() + DAY_MS


def uuid7(at: int) -> str:
    """A version 7 UUID (RFC 9562) whose time part is `at` ms.

    The standard library has none before Python 3.14, and importing `uuid` alone would double what
    the lean `mem add` costs.
    """
    return uuid_of((at & 0xFFFF_FFFF_FFFF) << 80 | int.from_bytes(posix.urandom(10), "big"), 0x7)


def uuid_of(value: int, version: int) -> str:
    """Return 128 bits as a UUID of a version, which takes the place of some of them."""
    value = value & ~(0xF << 76) | version << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def hybrid_clock(at: int) -> int:
    """The hybrid logical clock of a row changed at `at` ms: ms << 16, at least 1."""
    return min(max(at << 16, 1), LATEST_CLOCK)


def common_columns(
    machine: str,
    *,
    at: int | None = None,
    private: bool = False,
    pinned: bool = False,
    deleted_at: int | None = None,
    source: str | None = None,
    native_id: str | None = None,
    fingerprint: str | None = None,
    extra: str | None = None,
) -> dict[str, object]:
    """Return the columns that every new row has, by name; `at` is when it happened, ms since the epoch."""
    now = now_ms()
    return {
        "uid": uuid7(now),
        "created_at": now if at is None else at,
        "updated_at": now,
        "deleted_at": deleted_at,
        "private": private,
        "pinned": pinned,
        "origin": machine,
        "editor": machine,
        "hlc": hybrid_clock(now),
        "source": source,
        "native_id": native_id,
        "fingerprint": fingerprint,
        "extra": extra,
    }

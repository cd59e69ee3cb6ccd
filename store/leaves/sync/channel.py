"""What one side of an exchange sends the other: lines of JSON, of bounded length, over a pair of byte
streams; which of them are no rows, the verdicts on those that are, and what comes of a meeting."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from ...formats.common.scope import RECORDS
from ...platform.errors import StoreError
from ...platform.translation import _
from ...records.dataclasses import dataclass, field
from ...text import clean
from .rows import ORDER

MAGIC = "memtui-sync"
LONGEST = 16 * 1024 * 1024
"""Bytes of the longest line that is sent or read."""
NONSENSE = _("The other side sent something that is not a line of an exchange.")
TOO_LONG = _("is longer than {most} bytes, and stays here", most=f"{LONGEST:,}")
NOISE_LINES = 200
"""So many lines are passed over before the other side's first: what a login shell says."""


class SyncError(StoreError):
    """Two stores could not meet; what was stored until then stays, and the next meeting goes on."""


class Channel:
    """Messages over a pair of streams."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self.reader = reader
        self.writer = writer
        self.received_bytes = 0

    def send(self, message: object, *, flush: bool = True) -> None:
        """Send a message, which JSON can say."""
        self.send_line(encoded(message), flush=flush)

    def send_line(self, data: bytes, *, flush: bool = True) -> None:
        """Send what `encoded` made of a message."""
        try:
            self.writer.write(data)
            if flush:
                self.writer.flush()
        except (OSError, ValueError) as error:
            raise SyncError(
                "The other side is gone ({error}); the next sync goes on.", error=error
            ) from error

    def receive(self) -> Any:
        """Return the next message. Raises SyncError where there is none."""
        line = self._line()
        if not line.endswith(b"\n"):
            if len(line) == LONGEST:
                raise SyncError(
                    "The other side sent a line of more than {longest} bytes.", longest=f"{LONGEST:,}"
                )
            raise SyncError("The other side ended in the middle; the next sync goes on.")
        message = _decoded(line)
        if isinstance(message, dict) and isinstance(message.get("error"), str):
            raise SyncError(message["error"])
        return message

    def receive_first(self) -> dict[str, Any]:
        """Return the other side's first message, after whatever its login shell says."""
        for _line_number in range(NOISE_LINES):
            line = self._line()
            if not line or self.received_bytes > LONGEST:
                break
            if line.startswith(b'{"' + MAGIC.encode()) and line.endswith(b"\n"):
                message: dict[str, Any] = _decoded(line)
                if "error" in message:
                    raise SyncError(str(message["error"]))
                return message
        raise SyncError("Nobody answered there: is memtui installed, and `mem` on its PATH?")

    def _line(self) -> bytes:
        try:
            line = self.reader.readline(LONGEST)
        except (OSError, ValueError) as error:
            raise SyncError("The other side can't be read ({error}).", error=error) from error
        self.received_bytes += len(line)
        return line


def encoded(message: object) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _decoded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SyncError(NONSENSE) from error


def object_of(message: object) -> dict[str, Any]:
    """Return a message that is an object. Raises SyncError."""
    if not isinstance(message, dict):
        raise SyncError(NONSENSE)
    return message


def text_of(item: object) -> str:
    """Return what is a text that can be stored. Raises SyncError."""
    if not isinstance(item, str) or clean(item) != item:
        raise SyncError(NONSENSE)
    return item


def counts_of(message: object) -> dict[str, int]:
    """Return a message that is an object of numbers. Raises SyncError."""
    counts = object_of(message)
    if not all(type(number) is int for number in counts.values()):
        raise SyncError(NONSENSE)
    return counts


class Refusal(NamedTuple):
    """A row that was refused."""

    kind: str
    key: str
    reason: str


def refusal_of(line: object, reason: str) -> Refusal:
    """Return the refusal of a line, be it none."""
    row = line if isinstance(line, dict) else {}
    texts = (row.get("table"), row.get("uid") or row.get("name") or "", reason)
    return Refusal(*(clean(str(text)) for text in texts))


@dataclass(slots=True)
class Verdicts:
    """What became of rows: how many are stored, known, older; those that were refused. `owed` are rows
    of which a newer version is here, by table. `conflicts` counts texts that both sides had changed."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[Refusal] = field(default_factory=list)
    owed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    conflicts: int = 0

    def refusals(self, where: str) -> Iterator[str]:
        """Yield a sentence on each row that was refused there, or here."""
        for item in self.refused:
            yield _(
                "{kind} {key} was refused {where}: {reason}",
                kind=_(item.kind),
                key=item.key,
                where=where,
                reason=item.reason,
            )

    def add(self, other: Verdicts) -> None:
        """Add those on other rows."""
        self.counts.update(other.counts)
        self.refused += other.refused
        for kind, keys in other.owed.items():
            self.owed[kind] |= keys
        self.conflicts += other.conflicts


@dataclass(frozen=True, slots=True)
class Wishes:
    """What one side wants of a meeting: to give rows, to take some, to compare all digests whatever is
    known, and only to hear what would be done."""

    gives: bool = True
    takes: bool = True
    verify: bool = False
    dry_run: bool = False


@dataclass(slots=True)
class Outcome:
    """What came of a meeting, whatever carried it: the verdicts on what was given and what was taken, the
    other store's id, where it has one, how many ranges differed (None: only changes went), and sentences
    on what is odd. Of a dry run the counts are of what would go each way; of a folder it `is_unread` what
    would come."""

    given: Verdicts = field(default_factory=Verdicts)
    taken: Verdicts = field(default_factory=Verdicts)
    machine: str | None = None
    differing: int | None = None
    notes: list[str] = field(default_factory=list)
    is_unread: bool = False


NAMING = (
    "session",
    "fact",
    "superseded_by",
    "uid",
    "into_uid",
    "other_uid",
    "observation",
    "summary",
)
"""The keys of lines that name a record."""
CITING = ("evidence", "witnesses")
"""Those that list some."""
STRINGS = frozenset(
    (*NAMING, "editor", "kind", "source", "native_id", "agent", "name", "project", "author", "key")
)
REQUIRED = {
    "renamed_records": ("uid", "into_uid", "kind"),
    "purged": ("uid", "kind"),
    "fact_sources": ("uid", "fact"),
    "not_duplicates": ("uid", "other_uid"),
} | dict.fromkeys(RECORDS, ("uid",))
"""The texts that a line of a table can't do without."""
OF_GONE = {"deleted": ("updated_at", "deleted_at"), "hidden": ("updated_at",)}
"""The moments that a line has of a record that is gone, by how it is."""
LARGEST = 1 << 63


def fault_of(line: object) -> str | None:
    """Return why a line can't be looked at, None where it can."""
    if not isinstance(line, dict):
        return _("is not a row")
    table = line.get("table")
    if table not in ORDER:
        return _("is of a table that is not known here")
    for name, text in line.items():
        if name in STRINGS and text is not None and not _is_text(text):
            return _("has no text for its {name}", name=name)
    for name in REQUIRED.get(table, ()):
        if not line.get(name):
            return _("has no {name!r}", name=name)
    for name in CITING:
        items = line.get(name)
        if items is not None and not (isinstance(items, list) and all(map(_is_text, items))):
            return _("has no list of texts for its {name}", name=name)
    if not _is_number(line.get("hlc", 0)):
        return _("has no number for its version")
    if "gone" in line:
        moments = OF_GONE.get(gone) if isinstance(gone := line["gone"], str) else None
        if table not in RECORDS or moments is None:
            return _("is gone in a way that is not known here")
        moments = (*moments, *(["deleted_at"] if line.get("deleted_at") is not None else []))
        if not line.get("editor") or not all(_is_number(line.get(it)) for it in ("hlc", *moments)):
            return _("is gone without a version")
    return None


def _is_text(item: object) -> bool:
    return isinstance(item, str) and (item.isascii() or clean(item) == item)


def _is_number(item: object) -> bool:
    return type(item) is int and 0 <= item < LARGEST

"""The records of transcripts: the lines of a growing file of JSON, from where they were read last, and
values of a record, empty where they have another type."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...platform.regular_file import open_regular
from ...platform.translation import _
from ...text.times import moment

Record = dict[str, Any]
"""A JSON object of a transcript."""

Parsed = tuple[Record | None, str | None]

LONGEST = 32 * 1024 * 1024
"""Bytes of the longest line that is read; longer ones are skipped."""

DEEPEST = 200
"""How deep a record may be nested; whoever writes JSON again has to go as deep."""

MOST_PARTS, MOST_TORN = 100, 8
"""So many lines are taken for one record that line breaks in its texts cut, and so many beginnings of
records are passed over on a line."""

BOM = b"\xef\xbb\xbf"

_HEAD = re.compile(r'\{\s*"(\w+)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^\s",{}\[\]]+)\s*,\s*"(\w+)"')
"""How a record begins: two keys, and the plain value of the first."""

PIECE = 1024 * 1024
"""Bytes of a line that is skipped which are read at once."""

TOO_LARGE = 2**53
"""A number from which JSON's readers lose digits: no count is so large."""


class Line(NamedTuple):
    """A complete line: its record, or a sentence why there is none; neither if it is blank, or a part of
    the next. `end` is the offset in bytes at which the next one begins."""

    record: Record | None
    warning: str | None
    end: int


def lines(file: BinaryIO, start: int = 0, longest: int = LONGEST) -> Iterator[Line]:
    """Yield every complete line from the byte `start` on.

    The last line counts as complete without a line break only when it is a whole JSON object; else
    it is still being written, and left for the next time. Bytes that are not UTF-8 become U+FFFD.
    No more than one line is held in memory, or one record that line breaks in its texts cut.
    """
    parts: list[Line] = []
    text, begin = b"", start
    for raw, end, read in _single_lines(file, start, longest):
        if parts and not any(line.record is not None for line in read):
            text += raw
            whole = _joined(text)
            if whole is None and len(parts) < MOST_PARTS and len(text) <= longest:
                parts += read
                continue
            if whole:
                parts, read = [Line(None, None, begin) for _ in parts], [Line(whole, None, end)]
        yield from parts
        parts = []
        if len(read) == 1 and read[0].warning and _joined(raw) is None:
            text, parts = raw, read
        else:
            yield from read
            begin = end
    # What is still being written is left for the next time.
    if text.endswith(b"\n"):
        yield from parts


def _single_lines(file: BinaryIO, start: int, longest: int) -> Iterator[tuple[bytes, int, list[Line]]]:
    """Yield each line, where it ends, and what it holds by itself: nothing while it is being written."""
    file.seek(start)
    end = start
    while raw := file.readline(longest + 1):
        begin, end = end, end + len(raw)
        if raw.endswith(b"\n") or len(raw) <= longest:
            read = [*_parsed(raw, is_first=begin == 0)]
            if not raw.endswith(b"\n") and read[-1][0] is None:
                read = []
            # Where a line holds several records, all are read when the last one is.
            ends = [begin] * (len(read) - 1) + [end]
            yield raw, end, [Line(*pair, at) for pair, at in zip(read, ends, strict=False)]
            continue
        if (rest := _skipped(file)) is None:
            return
        end += rest
        why = _("is longer than {longest} bytes and was skipped", longest=f"{longest:,}")
        yield b"", end, [Line(None, why, end)]


def _joined(text: bytes) -> Record | None:
    """Return the record that lines make together, {} for none, None where a text of it is open."""
    if not text.rstrip().endswith(b"}"):
        return None if text.lstrip(BOM).startswith(b'{"') else {}
    try:
        result = _decoder(is_strict=False).decode(text.decode("utf-8", "replace").strip())
    except (ValueError, RecursionError) as error:
        return None if str(error).startswith("Unterminated string") else {}
    return result if isinstance(result, dict) and not _is_too_deep(result) else {}


def records_of(path: Path) -> Iterator[Record]:
    """Yield the records of a file of lines. Raises OSError."""
    with open_regular(path) as file:
        for line in lines(file):
            if line.record is not None:
                yield line.record


def _skipped(file: BinaryIO) -> int | None:
    """Return for how many bytes the line at hand goes on, its line break included; None if it has
    no end."""
    count = 0
    while piece := file.readline(PIECE):
        count += len(piece)
        if piece.endswith(b"\n"):
            return count
    return None


def _parsed(raw: bytes, *, is_first: bool) -> Iterator[Parsed]:
    """Yield a line's record, or why it has none; several where two processes wrote at once."""
    if is_first:
        raw = raw.removeprefix(BOM)
    text = raw.decode("utf-8", "replace").strip()
    if not text:
        yield None, None
        return
    decoder = _decoder()
    place = 0
    may_be_deep = raw.count(b"[") + raw.count(b"{") > DEEPEST
    while place < len(text):
        try:
            result, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            yield None, _("is not JSON")
            # A record that was torn off may be followed by a whole one.
            place = _whole_rest(decoder, text, place, error)
            if place < 0:
                return
            continue
        place += len(text[place:]) - len(text[place:].lstrip())
        if not isinstance(result, dict):
            yield None, _("is not a JSON object")
            return
        yield ((None, _("is nested too deep")) if may_be_deep and _is_too_deep(result) else (result, None))


def _whole_rest(decoder: json.JSONDecoder, text: str, start: int, error: Exception) -> int:
    """Return where, behind a record that an error tore, whole ones begin that go to the end of a line; -1
    for nowhere."""
    torn = start
    # Records of one file begin with the same keys, also where the whole one would do as a value.
    if first := _HEAD.match(text, torn):
        for alike in itertools.islice(_HEAD.finditer(text, first.end()), MOST_PARTS):
            if alike.groups() == first.groups() and _failure_from(decoder, text, alike.start()) is None:
                return alike.start()
    for _time in range(MOST_TORN):
        fault = getattr(error, "pos", len(text))
        before = text.rfind('{"', start + 1, fault + 2)
        start = before if before >= 0 else text.find('{"', fault)
        # Where nothing of a record stands before it, the file is no transcript.
        if start < 0 or not {*'{"'} & {*text[torn:start]}:
            break
        if (later := _failure_from(decoder, text, start)) is None:
            return start
        error = later
    return -1


def _failure_from(decoder: json.JSONDecoder, text: str, place: int) -> Exception | None:
    """Return why a line isn't whole records from a place to its end; None where it is."""
    try:
        while place < len(text):
            place = decoder.raw_decode(text, place)[1]
            place += len(text[place:]) - len(text[place:].lstrip())
    except (ValueError, RecursionError) as error:
        return error
    return None


def _decoder(*, is_strict: bool = True) -> json.JSONDecoder:
    # What is no finite number is no JSON either, and could not be kept as such.
    return json.JSONDecoder(
        parse_constant=lambda _: None,
        parse_float=lambda digits: value if math.isfinite(value := float(digits)) else None,
        strict=is_strict,
    )


def _is_too_deep(document: object) -> bool:
    level = [document]
    for _depth in range(DEEPEST):
        inner = [list(item.values()) if isinstance(item, dict) else item for item in level]
        level = [entry for group in inner if isinstance(group, list) for entry in group]
        if not level:
            return False
    return True


def mapping(value: object) -> Record:
    """Return an object; {} for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return a list; [] for anything else."""
    return value if isinstance(value, list) else []


def string(value: object) -> str | None:
    """Return a text that isn't blank; None for anything else."""
    return value if isinstance(value, str) and value.strip() else None


def number(value: object) -> int:
    """Return a count; 0 for anything that is none."""
    counts = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < TOO_LARGE
    return int(value) if counts and isinstance(value, int | float) else 0


def with_thoughts(output: int, thoughts: int, given: int, whole: int) -> int:
    """Return the tokens that a model wrote, its thoughts among them, which the number of all tokens tells
    to count beside the others or not."""
    return output + thoughts if whole >= given + output + thoughts else output


def moment_of(value: object) -> int | None:
    """Return a time in ms since the epoch, UTC, of ISO 8601 or a number of seconds or ms; None if
    it is none."""
    if isinstance(value, str):
        return moment(None, value)
    return moment(result, None) if (result := number(value)) else None


def text_of(content: object) -> str:
    """Return the text of a message's content: a text itself, or a list of blocks of which some are
    texts."""
    if isinstance(content, str):
        return content.strip()
    blocks = (mapping(block) for block in items(content))
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "\n".join(text.strip() for text in texts if isinstance(text, str)).strip()


def objects(value: object) -> list[Record]:
    """Return the objects in a list; [] where it is no list."""
    return [item for item in items(value) if isinstance(item, dict)]


def text(value: object) -> str:
    """Return a text as it is; "" where it is none."""
    return value if isinstance(value, str) else ""


def texts(content: object, separator: str = "\n") -> str:
    """Return the text of a content: one text, or parts of which some have a `text`, thoughts left out."""
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, dict) else objects(content)
    results = (text(part.get("text")) for part in parts if not part.get("thought"))
    return separator.join(part for part in results if part)


def parsed(value: object) -> object:
    """Return what a text is as JSON; the value itself where it is none, or no text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def load(content: bytes) -> object:
    """Return what a whole file is as JSON, bad UTF-8 as U+FFFD. Raises ValueError where it is none."""
    try:
        return json.loads(content.decode("utf-8-sig", "replace"))
    except RecursionError as error:
        raise ValueError(_("it is nested too deep")) from error

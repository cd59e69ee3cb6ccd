"""Codex's transcripts that come as one piece: the oldest, in JSON, and compressed ones."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from ...capture.events import Event
from .codex import CodexReader
from .fields import mapping
from .parts import Record, load, parsed

DECOMPRESSORS = ("compression.zstd", "backports.zstd", "zstandard")


class CodexFile:
    """Reads `rollout-….json`, an object or a list of lines, and `rollout-….jsonl.zst`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self) -> Iterator[Event]:
        """All its events; ValueError where the file is neither, or where lines of it are bad."""
        compressed = self.path.suffix == ".zst"
        content = decompressed(self.path) if compressed else self.path.read_bytes()
        records = list(lines(content)) if compressed else pieces(content, self.path)
        reader = CodexReader(self.path.with_suffix("") if compressed else self.path, {})
        bad: list[int] = []
        for number, record in enumerate(records, start=1):
            try:
                yield from reader.events(record)
            except ValueError:
                bad.append(number)
        yield from reader.pending()
        if bad:
            raise ValueError(
                f"{len(bad)} records of {self.path} can't be read, the first is {bad[0]}."
            )


def pieces(content: bytes, path: Path) -> list[Record]:
    """The lines that a JSON file holds: as a list, as one object, or as a session with its items."""
    try:
        found = load(content)
    except ValueError as error:
        raise ValueError(f"{path} is no JSON ({error}). Was it cut off?") from error
    if isinstance(found, dict) and isinstance(found.get("items"), list):
        session = mapping(found.get("session"))
        meta = {"timestamp": session.get("timestamp"), "type": "session_meta", "payload": session}
        found = [meta, *found["items"]]
    records = found if isinstance(found, list) else [found]
    return [record if isinstance(record, dict) else {"payload": record} for record in records]


def lines(content: bytes) -> Iterator[Record]:
    """The objects in lines of JSON; a line that is none reads as a record that is bad."""
    for line in content.splitlines():
        if line.strip():
            record = parsed(line.decode(errors="replace"))
            yield record if isinstance(record, dict) else {"payload": record}


def decompressed(path: Path) -> bytes:
    """The content of a file that zstd compressed; ValueError where nothing here can read it."""
    for name in DECOMPRESSORS:
        try:
            library = import_module(name)
        except ImportError:
            continue
        try:
            with library.open(path, "rb") as file:
                content: bytes = file.read()
        except Exception as error:  # each of the libraries has its own
            raise ValueError(f"{path} can't be decompressed ({error}).") from error
        return content
    raise ValueError(
        f"{path} is compressed by zstd, which nothing here can read. Install the package zstandard "
        "beside this program, or decompress the file with `zstd -d`."
    )

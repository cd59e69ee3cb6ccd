"""A memory and its spool, to which all happens that may happen to files; and what has to be stored then."""

import json
import os
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import apsw

from memtui.store import Store, StoreError
from memtui.store.capture.ingest import spool
from memtui.store.capture.ingest.drain import drain, scrub_stored
from memtui.store.capture.ingest.spool_files import segment_name, write_durably
from memtui.store.platform.paths import fallback_spools, spool_path


@dataclass
class SpooledEvents:
    """A memory, its spool and a fallback, and what the events that were written to them say."""

    folder: Path
    draw: Random
    at: int = 1_770_000_000_000
    stored: set[bytes] = field(default_factory=set)
    """The lines that were in a file when a drain had ended."""

    copies: list[tuple[Path, bytes]] = field(default_factory=list)
    backups: list[tuple[bytes, set[bytes]]] = field(default_factory=list)

    @property
    def database(self) -> Path:
        return self.folder / "memory.db"

    @property
    def places(self) -> list[Path]:
        """The spool and the fallback in the runtime directory."""
        name = os.fsencode(self.database)
        return [Path(os.fsdecode(one)) for one in (spool_path(name), fallback_spools(name)[0])]

    def segments(self) -> list[Path]:
        """Every file that holds events."""
        return [path for place in self.places for path in sorted(place.glob("*.jsonl"))]

    def lines(self) -> set[bytes]:
        """Every whole line that is in a file now."""
        return {
            line
            for path in self.segments()
            for line in path.read_bytes().split(b"\n")[:-1]
            if is_record(line)
        }

    def append(self, text: str, place: int, step: int) -> None:
        """Write an event, as a hook does."""
        self.at += step
        event = {"session_id": "s-1", "hook_event_name": "UserPromptSubmit", "prompt": text}
        line = '\n{"at":%d,"took":9000,"agent":"claude-code","env":[],"cwd":"","event":%s}\n'
        folder = self.places[place]
        for one in (folder.parent, folder):
            one.mkdir(mode=0o700, exist_ok=True)
        written = (line % (self.at, json.dumps(event))).encode()
        write_durably(bytes(folder), segment_name(), written)

    def drain(self) -> None:
        with Store.open(self.database) as store:
            drain(store, patience=30)
        self.stored |= self.lines()

    def interrupt(self) -> None:
        """Drain, stop at some step of it, and drain again."""
        with Store.open(self.database) as store:
            left = self.draw.randint(1, 60)

            def count_down() -> bool:
                nonlocal left
                left -= 1
                return left <= 0

            store.db.set_progress_handler(count_down, 50)
            with suppress(apsw.Error, StoreError):
                drain(store, patience=30)
        self.drain()

    def scrub(self) -> None:
        self.stored |= self.lines()
        with Store.open(self.database) as store:
            scrub_stored(store)

    def cut(self) -> None:
        """Let a power failure take the end of a file, or leave zeros in its place."""
        if found := self.chosen():
            size = found.stat().st_size
            at = self.draw.randint(0, size)
            os.truncate(found, at)
            if self.draw.random() < 0.3:
                os.truncate(found, size)

    def remove(self) -> None:
        shutil.rmtree(self.draw.choice(self.places), ignore_errors=True)

    def keep_copy(self) -> None:
        if found := self.chosen():
            self.copies.append((found, found.read_bytes()))

    def restore_copy(self) -> None:
        """Put an older copy in a file's place: in the same inode, or in another."""
        if self.copies:
            path, content = self.draw.choice(self.copies)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.draw.random() < 0.5:
                path.unlink(missing_ok=True)
            path.write_bytes(content)

    def rename(self) -> None:
        if found := self.chosen():
            day = self.draw.randint(1, 28)
            found.rename(found.with_name(f"2026-01-{day:02}.jsonl"))

    def move_all(self) -> None:
        """Copy a directory to another place and back, as to another file system."""
        place = self.draw.choice(self.places)
        if place.exists():
            aside = self.folder / "aside"
            shutil.copytree(place, aside)
            shutil.rmtree(place)
            shutil.copytree(aside, place)
            place.chmod(0o700)
            shutil.rmtree(aside)

    def keep_memory(self) -> None:
        with Store.open(self.database) as store:
            target = self.folder / "backup.db"
            store.backup(target)
        self.backups.append((target.read_bytes(), set(self.stored)))
        target.unlink()

    def restore_memory(self) -> None:
        """Put an older backup of the memory in its place."""
        if self.backups:
            content, stored = self.draw.choice(self.backups)
            for path in self.folder.glob("memory.db*"):
                if path.is_file():
                    path.unlink()
            self.database.write_bytes(content)
            self.stored = set(stored)

    def found(self) -> Counter[str]:
        """The texts of the prompts that are stored."""
        with Store.open(self.database) as store:
            return Counter(str(text) for (text,) in store.db.execute("SELECT text FROM prompts"))

    def expected(self) -> Counter[str]:
        """The texts of the prompts that have to be."""
        return Counter(spool.read_record(line).event["prompt"] for line in self.stored)

    def chosen(self) -> Path | None:
        found = self.segments()
        return self.draw.choice(found) if found else None


def is_record(line: bytes) -> bool:
    """Whether a line can be stored."""
    try:
        spool.read_record(line)
    except ValueError:
        return False
    return True

"""What an empty memory shows: what this is, and the keys and commands that fill it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.reactive import reactive

from store import StoreError
from store.aio import AsyncStore

from ..bindings import key
from ..parts.text_view import TextView
from ..protocol import Browser
from ..text.content import DIM, Passage, fit, plain
from ..text.paths import short

TELL_EVERY = 0.1
COMMAND = 30
"""Cells for a command, before what it does."""

HOOK_UP = "hook an agent up: what it does from then on is remembered here"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A claude-mem database, None when there is none, and how many transcripts of which agents."""

    claude_mem: Path | None
    transcripts: dict[str, int]


def surroundings(home: Path, environment: Mapping[str, str]) -> Surroundings:
    """Return what is found below a home directory, or where the environment says it is."""
    # Not worth its import when the memory is not empty.
    from store.formats.transcripts.discovery import claude_mem_database, find_folders

    counts: dict[str, int] = {}
    for place in find_folders(home, environment):
        counts[place.agent] = counts.get(place.agent, 0) + place.files
    return Surroundings(claude_mem_database(home, environment), counts)


class Welcome(TextView):
    """Importing goes on here, with its progress in place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("i", "import_claude_mem", "Import", "Import the claude-mem memories", "welcome.import"),
        key("D", "demo", "Demo", "Look around in the demo memory", "welcome.demo"),
        key(
            "escape", "screen.query", "Query", "Back to the query line", "welcome.query", show=False
        ),
    ]

    found: reactive[Surroundings | None] = reactive(None)
    """What was found to import; None while it is looked for."""
    progress: reactive[tuple[int, int] | None] = reactive(None)
    """Rows imported, of how many; None when no import is going on."""

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self._browser = browser

    def on_show(self) -> None:
        self._look_around()

    def watch_found(self) -> None:
        self.show(list(self._told()), hold=True)
        self.refresh_bindings()

    def watch_progress(self) -> None:
        self.watch_found()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "import_claude_mem":
            can = self.found is not None and self.found.claude_mem is not None
            return can and self.progress is None and not self._browser.read_only
        return True

    def action_demo(self) -> None:
        """Leave this memory for the demo."""
        self.app.exit("demo")

    @work(exclusive=True, group="import")
    async def action_import_claude_mem(self) -> None:
        """Bring in all that claude-mem remembers; its own file is not touched."""
        if self.found is None or self.found.claude_mem is None:
            return
        self.progress = (0, 0)
        try:
            changes = await self._import(self.found.claude_mem)
            self.notify(f"{changes:,} records imported.")
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
        finally:
            self.progress = None
            self._browser.look()

    async def _import(self, path: Path) -> int:
        from store.formats.claude_mem.database_import import import_database

        # Told on the store's thread, shown by a timer on ours.
        told = (0, 0)

        def tell(done: int, total: int) -> None:
            nonlocal told
            told = done, total

        def show() -> None:
            self.progress = told

        timer = self.set_interval(TELL_EVERY, show)
        store = await AsyncStore.open(self._browser.path)
        try:
            return (await store.run(lambda s: import_database(s, path, tell))).changes
        finally:
            timer.stop()
            await store.close()

    @work(exclusive=True, group="look-around")
    async def _look_around(self) -> None:
        self.found = await asyncio.to_thread(surroundings, Path.home(), os.environ)

    def _told(self) -> Iterator[Passage]:
        yield Passage(Content.styled("memtui shows what your coding agents remember.", "bold"))
        yield Passage(Content("Search it, see what happened around a memory, pin and hide."))
        yield Passage(
            plain(f"This memory is still empty: {short(self._browser.path)}", DIM), space=1
        )
        if self.found and self.found.claude_mem:
            yield _way("i", self._import_words(self.found.claude_mem), space=1)
            yield _way("5", HOOK_UP)
            yield _way("D", "look around in a made-up demo memory")
        else:
            yield _way("5", HOOK_UP, space=1)
            yield _way("D", "look around in a made-up demo memory")
        yield Passage(Content.styled("From a shell", DIM), space=1)
        yield _command('mem add "What I learned"', "adds a memory by hand")
        yield _command("mem import claude-mem PATH", "brings in a claude-mem database")
        if self.found and self.found.transcripts:
            yield _command("mem import --all", "brings in what your agents have written down")
            counts = (f"{count:,} of {agent}" for agent, count in self.found.transcripts.items())
            words = f"Agents have worked here: transcripts found, {', '.join(counts)}."
            yield Passage(plain(words, DIM), space=1)

    def _import_words(self, path: Path) -> str:
        if self.progress is None:
            return f"import what claude-mem remembers, from {short(path)}"
        done, total = self.progress
        return f"importing {done:,} of {total:,} from {short(path)} …"


def _way(letter: str, words: str, space: int = 0) -> Passage:
    mark = Content.assemble((letter, "bold $accent"), "  ")
    return Passage(plain(words), mark=mark, space=space)


def _command(command: str, does: str) -> Passage:
    return Passage(Content.styled(does, DIM), mark=fit(plain(command, "$text-accent"), COMMAND))

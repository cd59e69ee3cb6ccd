"""Memories to be edited, and an editor that writes what a test says."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Observation, Store
from memtui.tui.app import MemApp
from memtui.tui.editing.form import FormScreen
from tests.editors import editor
from tests.tui.browser import NOW

HOUR = 3_600_000


def fill(path: Path) -> None:
    """One session with a prompt, three observations and a summary; a fact, and a note."""
    with Store.open(path) as store, store.transaction():
        one = store.sessions.start("0123456789", agent="codex", project="atlas", at=NOW - 9 * HOUR)
        store.prompts.add(one, "Why do tokens expire?", at=NOW - 9 * HOUR)
        for number, title in enumerate(("Logs show UTC", "Tokens live a day", "Clock drift"), 1):
            store.observations.add(
                one, title=title, type="bugfix", narrative="It was so.", tags=["auth"],
                facts=["One", "Two"], at=NOW - 8 * HOUR + number,
            )  # fmt: skip
        store.summaries.add(one, request="Mend the clock", at=NOW - 7 * HOUR)
        store.facts.add("Times are UTC", kind="W", project="atlas", entities=["time"], at=NOW)
        store.notes.upsert("MEMORY.md", "# Rules\n", project="atlas", at=NOW)


def observation(path: Path, ref: str) -> Observation:
    """An observation as it is stored."""
    with Store.open(path) as store:
        return store.observations.get(ref)


def form(pilot: Pilot[Any]) -> FormScreen:
    """The form, which is in front."""
    assert isinstance(pilot.app.screen, FormScreen)
    return pilot.app.screen


def toasts(pilot: Pilot[Any]) -> list[str]:
    """What was told so far."""
    return [one.message for one in pilot.app._notifications]


def editing(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Have the user's editor be a program that changes the text `t` of its file; `round` counts from 0,
    and `round-N` in the folder holds what it was given."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor(folder, code))
    monkeypatch.setattr(MemApp, "suspend", lambda _app: nullcontext())

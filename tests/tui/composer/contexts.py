"""A project with memories of each kind, sessions that were given some, and the composer to be read."""

import json
from pathlib import Path
from typing import Any, cast

from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.composer.screen import ComposerScreen
from tests.tui.browser import NOW, text
from tests.tui.patience import press

MINUTE, HOUR = 60_000, 3_600_000

TALE = "The clock of the laptop was five minutes ahead of the server's, so the token was too old."
NOTE = "# House rules\n\n- No tests that sleep.\n- Times are UTC."


def fill_context(path: Path, project: str = "atlas") -> None:
    """In a project observations 1 to 8, of which 3 is pinned, a summary, a fact and a note; and one
    observation of `orbit`."""
    with Store.open(path) as store, store.transaction():
        start = NOW - 9 * HOUR
        session = store.sessions.start(
            "c-atlas", agent="claude-code", project=project, title="Mend the clock drift", at=start
        )
        for number in range(1, 9):
            made = store.observations.add(
                session,
                title=f"Lesson {number}",
                type=("bugfix", "decision", "feature", "discovery")[number % 4],
                narrative=f"{TALE} That was lesson {number}.",
                at=start + number * MINUTE,
            )
            if number == 3:
                store.observations.pin(made)
        store.summaries.add(session, request="Login fails", completed="Added a leeway", at=start + HOUR)
        store.facts.add("Times are UTC", project=project, confidence=0.9, at=start)
        store.notes.upsert("MEMORY.md", NOTE, project=project, at=start)
        store.observations.add(None, title="Another tale", narrative=TALE, project="orbit", at=start)


def give(path: Path) -> None:
    """Two sessions of `atlas` and a hidden one were given something, and one of `orbit`."""
    with Store.open(path) as store, store.transaction():
        store.sessions.start("c-hidden", agent="codex", project="atlas", title="nobody's business")
        store.sessions.set_private(store.sessions.get("c-hidden"))
        gone = store.observations.add(None, title="canary", project="atlas", at=NOW - 8 * HOUR)
        store.observations.delete(gone)
        rows = (
            ("gemini", "c-orbit", "orbit", 80, ["9"]),
            ("claude-code", "c-atlas", "atlas", 640, ["3", "s1", "f1", "n1", "8"]),
            ("codex", "c-hidden", "atlas", 212, ["3", str(gone.id)]),
        )
        for ago, (agent, name, project, tokens, refs) in enumerate(reversed(rows)):
            store.db.execute(
                "INSERT INTO given_contexts (at, agent, session, project, tokens, refs) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (NOW - (3 - ago) * HOUR, agent, name, project, tokens, json.dumps(refs)),
            )


async def to_composer(pilot: Pilot[Any]) -> ComposerScreen:
    """The composer, in front."""
    await press(pilot, "down", "6")
    return cast(ComposerScreen, pilot.app.screen)


def rows(pilot: Pilot[Any]) -> list[str]:
    """The rows of the list below its heads, their words one space apart."""
    shown = text(cast(ComposerScreen, pilot.app.screen).items).split("\n")
    return [" ".join(line.split()) for line in shown if line and line.split()[0] != "Memory"]


def told(screen: ComposerScreen) -> str:
    """The text that an agent gets."""
    assert screen.shown is not None
    return screen.shown.text


def heading(screen: ComposerScreen) -> str:
    """Whose context it is, and whether it is saved."""
    return " ".join(text(screen.heading).split())


def toasts(pilot: Pilot[Any]) -> str:
    """What is notified."""
    return " ".join(" ".join(text(toast).split()) for toast in pilot.app.screen.query("Toast"))

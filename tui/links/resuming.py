"""Going on with a session in its agent, while the browser is suspended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from textual.app import App
from textual.content import Content

from memtui.store import SessionRow, Store, StoreError
from memtui.store.formats.transcripts.resumption import Resumption, resumption
from memtui.store.links import run_in_foreground
from memtui.store.text.display import safe

from ..parts.leaving import leave_for
from ..parts.question import QuestionScreen
from ..protocol import browser
from ..text.content import DIM, Passage, plain


async def resume_session(app: App[Any], ref: str) -> None:
    """Ask whether to go on with the session that a record is of, and do so."""
    row = await browser(app).side.run(lambda store: _session_of(store, ref))
    if row is None:
        app.notify("It belongs to no session.", severity="warning")
        return
    result = await asyncio.to_thread(resumption, row.session)
    if not result.command:
        app.notify(safe(f"It can't be resumed. {result.reason}"), severity="warning", markup=False)
        return
    answers = {"enter": "runs"} if result.can_run else {}
    answers |= {"y": "copies", "escape": "cancels"}
    screen = QuestionScreen("resume this session", [*_passages(row, result)], answers)

    def do(answer: str | None) -> None:
        if answer == "enter":
            _run(app, result)
        elif answer == "y":
            app.copy_to_clipboard(result.shell_line)
            app.notify("Copied.")

    app.push_screen(screen, do)


def _session_of(store: Store, ref: str) -> SessionRow | None:
    session = store.sessions.of_record(store.find(ref))
    return None if session is None else store.sessions.row(session)


def _passages(row: SessionRow, found: Resumption) -> Iterator[Passage]:
    yield Passage(plain(row.title or "untitled session", "bold"))
    yield Passage(plain(" ".join(found.command), "$text-accent"), space=1)
    if found.directory is not None:
        yield Passage(Content.assemble(("in ", DIM), plain(str(found.directory))))
    for sentence in filter(None, (found.obstacle, found.doubt)):
        yield Passage(plain(sentence, "$text-warning"), space=1)


def _run(app: App[Any], found: Resumption) -> None:
    program = found.command[0]
    try:
        status = leave_for(app, lambda: run_in_foreground(found.command, found.directory))
    except (OSError, ValueError) as error:
        content = safe(f"{program} can't be started ({error}).")
        app.notify(content, severity="error", markup=False)
        return
    except StoreError as error:
        app.notify(str(error), severity="error", markup=False)
        return
    if status:
        app.notify(f"{program} ended with {status}.", severity="warning", markup=False)
    browser(app).ingest()
    browser(app).look()

"""Going on with a session in its agent, or in another one, while the browser is suspended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from textual.app import App
from textual.content import Content

from memtui.store import Session, SessionRow, Store, StoreError
from memtui.store.context.handoff.brief import agents_here, continuation
from memtui.store.formats.transcripts.resumption import Resumption, resumption
from memtui.store.links.foreground import run_in_foreground
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..lists.picker import Pick, PickScreen
from ..parts.dialog import QuestionScreen
from ..parts.leaving import leave_for
from ..protocol import browser
from ..text.content import DIM, Passage, plain


async def resume_session(app: App[Any], ref: str) -> None:
    """Ask whether to go on with the session that a record is of, with a copy, or in another agent."""
    row = await browser(app).side.run(lambda store: _session_of(store, ref))
    if row is None:
        app.notify(_("It belongs to no session."), severity="warning")
        return
    session = row.session
    result = await asyncio.to_thread(resumption, session)
    fork = await asyncio.to_thread(resumption, session, fork=True)
    agents = await asyncio.to_thread(agents_here)
    if not (result.command or agents):
        app.notify(
            safe(_("It can't be resumed. {reason}", reason=result.reason)),
            severity="warning",
            markup=False,
        )
        return
    answers = {"enter": _("Runs").lower()} if result.can_run else {}
    answers |= {"f": _("forks")} if fork.can_run else {}
    answers |= {"i": _("in another agent")} if agents else {}
    answers |= {"y": _("copies")} if result.command else {}
    answers["escape"] = _("cancels")
    screen = QuestionScreen(_("resume this session"), [*_passages(row, result)], answers)

    def do(answer: str | None) -> None:
        if answer == "enter":
            _run(app, result)
        elif answer == "f":
            _run(app, fork)
        elif answer == "i":
            _pick_agent(app, session, agents)
        elif answer == "y":
            app.copy_to_clipboard(result.shell_line)
            app.notify(_("Copied."))

    app.push_screen(screen, do)


def _pick_agent(app: App[Any], session: Session, agents: Sequence[str]) -> None:
    """Ask in which agent to go on with a session, and start that with what is handed over."""

    async def start(picked: Pick[str] | None) -> None:
        if picked is None:
            return
        agent = picked.value
        try:
            result = await browser(app).side.run(lambda store: continuation(store, session, agent))
        except StoreError as error:
            app.notify(safe(str(error)), severity="warning", markup=False)
            return
        if result.can_run:
            _run(app, result)
        else:
            app.notify(safe(result.obstacle or result.reason), severity="warning", markup=False)

    explanation = _("A new session, where this one ran, with what it came to as the first prompt.")
    picks = [Pick(name, name, told=explanation) for name in agents]
    app.push_screen(PickScreen(_("go on in"), picks, _("starts it")), start)


def _session_of(store: Store, ref: str) -> SessionRow | None:
    session = store.sessions.of_record(store.find(ref))
    return None if session is None else store.sessions.row(session)


def _passages(row: SessionRow, result: Resumption) -> Iterator[Passage]:
    yield Passage(plain(row.title or _("untitled session"), "bold"))
    if result.command:
        yield Passage(plain(" ".join(result.command), "$text-accent"), space=1)
    if result.directory is not None:
        yield Passage(Content.assemble((_("in "), DIM), plain(str(result.directory))))
    for sentence in filter(None, (result.reason, result.obstacle, result.doubt)):
        yield Passage(plain(sentence, "$text-warning"), space=1)


def _run(app: App[Any], result: Resumption) -> None:
    program = result.command[0]
    try:
        status = leave_for(app, lambda: run_in_foreground(result.command, result.directory))
    except (OSError, ValueError) as error:
        content = safe(_("{program} can't be started ({error}).", program=program, error=error))
        app.notify(content, severity="error", markup=False)
        return
    except StoreError as error:
        app.notify(str(error), severity="error", markup=False)
        return
    if status:
        app.notify(
            _("{program} ended with {status}.", program=program, status=status),
            severity="warning",
            markup=False,
        )
    browser(app).ingest()
    browser(app).look()

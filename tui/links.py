"""Opening what a memory names: a file in the user's editor, an address in the web browser, its session in
its agent or in another one, while the browser is suspended. And copying what there is of it: its text,
Markdown, id, files, addresses, session, and commands.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import webbrowser
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from memtui.store import AnyRecord, Session, SessionRow, Store, StoreError, mem_command, ref_of
from memtui.store.formats.markdown_pages import markdown_of
from memtui.store.formats.transcripts.resumption import Resumption, resumption
from memtui.store.links.editor import open_in_editor
from memtui.store.links.files import FileLink, WebLink, file_links, listed_files, texts_of, urls_in
from memtui.store.links.foreground import run_in_foreground
from memtui.store.platform.leaves import has_leaf, leaf
from memtui.store.platform.paths import default_path
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from .lists.picker import Pick, PickScreen
from .parts.dialog import QuestionScreen
from .parts.textual_gaps import leave_for
from .protocol import browser
from .text import ages
from .text.content import DIM, Passage, plain
from .text.records import text_of

Link = FileLink | WebLink
CHANGES = {
    "changed": N_("Changed in git {when}."),
    "deleted": N_("Deleted in git {when}."),
    "renamed": N_("Renamed in git {when}."),
}
SIGNS = {"modified": "✎", "read": "○", "named": "·"}
NOTHING = _("It names no file and no address.")


async def open_links(app: App[Any], ref: str, name: str = "") -> None:
    """Open what a memory names: at once where that is one thing, else what is picked; `name` is the one
    of its files that is meant."""
    picks = await browser(app).side.run(partial(_picks, ref=ref, name=name, now=browser(app).now()))
    if not picks:
        app.notify(NOTHING, severity="warning")
    elif len(picks) > 1:
        app.push_screen(PickScreen(_("open"), picks, _("opens")), partial(_open_picked, app))
    elif picks[0].trouble:
        content = safe(f"{picks[0].name[2:]}: {picks[0].trouble}")
        app.notify(content, severity="warning", markup=False)
    else:
        await _open_link(app, picks[0].value)


async def resume_session(app: App[Any], ref: str) -> None:
    """Ask whether to go on with the session that a record is of, with a copy, or in another agent."""
    row = await browser(app).side.run(lambda store: _session_of(store, ref))
    if row is None:
        app.notify(_("It belongs to no session."), severity="warning")
        return
    session = row.session
    result = await asyncio.to_thread(resumption, session)
    fork = await asyncio.to_thread(resumption, session, fork=True)
    agents = await asyncio.to_thread(_agents_here)
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


async def continue_elsewhere(app: App[Any], ref: str) -> None:
    """Ask in which agent to go on with the session that a record is of."""
    row = await browser(app).side.run(lambda store: _session_of(store, ref))
    agents = await asyncio.to_thread(_agents_here)
    if row is None:
        app.notify(_("It belongs to no session."), severity="warning")
    elif not agents:
        app.notify(_("No other agent is on your PATH; Hand over (^p) copies a brief."), severity="warning")
    else:
        _pick_agent(app, row.session, agents)


def _open_picked(app: App[Any], picked: Pick[Link] | None) -> None:
    if picked is not None:
        app.run_worker(_open_link(app, picked.value), group="open")


async def _open_link(app: App[Any], link: Link) -> None:
    """Open a file in the user's editor, at its line, or an address in the web browser."""
    if isinstance(link, WebLink):
        await _open_address(app, link)
    elif link.path is not None:
        _open_file(app, link.path, link.line, link.folder)


def _picks(store: Store, ref: str, name: str, now: int) -> list[Pick[Link]]:
    record = store.any_record(ref)
    files = file_links(store, record, name)
    if name:
        return [_file_pick(link, {}) for link in files]
    changed = {} if ref[:1] in "@n" else _changes(store, ref, now)
    picks = [_file_pick(file_link, changed) for file_link in files]
    picks += [_address_pick(web_link) for web_link in urls_in(texts_of(record))]
    return picks


def _changes(store: Store, ref: str, now: int) -> dict[str, str]:
    """Return what git says of a memory's files that have changed since, by their names."""
    return {
        file.path: _(
            CHANGES[file.change],
            when=ages.ago(file.changed_at, now),
        )
        for file in store.changed_files(store.record(ref))
    }


def _file_pick(link: FileLink, changed: dict[str, str]) -> Pick[Link]:
    at = f":{link.line}" if link.line else ""
    git = changed.get(link.name, "")
    trouble = " ".join(filter(None, (link.trouble, git))) if link.trouble else ""
    note = _("outside") if link.is_outside else ""
    if link.trouble:
        note = _("not here") if link.path is None else _("no file")
    content = _("Opens {path}.", path=link.path)
    if link.line:
        content = _("Opens {path} at line {line}.", path=link.path, line=link.line)
    if link.is_outside:
        content += " " + _("It lies outside of the project.")
    content = " ".join(filter(None, (content, git)))
    return Pick(f"{SIGNS[link.use]} {link.name}{at}", link, note, content, trouble)


def _address_pick(link: WebLink) -> Pick[Link]:
    explanation = _("Opens {host} in the web browser.", host=link.host)
    return Pick(f"↗ {link.address}", link, link.host, explanation, link.trouble)


def _open_file(app: App[Any], path: Path, line: int, folder: Path | None) -> None:
    try:
        leave_for(app, lambda: open_in_editor(path, line, folder))
    except StoreError as error:
        app.notify(safe(str(error)), severity="error", markup=False)
    browser(app).look()


async def _open_address(app: App[Any], link: WebLink) -> None:
    if app.is_web:
        # Shown in a web browser already: there, in a tab of its own.
        app.open_url(link.address)
        return
    try:
        result = await asyncio.to_thread(webbrowser.get)
    except webbrowser.Error:
        app.copy_to_clipboard(link.address)
        app.notify(_("There is no web browser here. The address is copied."), severity="warning")
        return
    try:
        if _is_of_the_terminal(result):
            leave_for(app, lambda: result.open(link.address))
        else:
            _start([sys.executable, "-m", "webbrowser", link.address])
            app.notify(_("Opened: {host}", host=safe(link.host)), markup=False)
    except (OSError, StoreError) as error:
        app.notify(safe(str(error)), severity="error", markup=False)


def _is_of_the_terminal(program: webbrowser.BaseBrowser) -> bool:
    """Whether a web browser needs the terminal to itself, as lynx does."""
    return isinstance(program, webbrowser.GenericBrowser) and not isinstance(
        program, webbrowser.BackgroundBrowser
    )


def _start(command: Sequence[str]) -> None:
    """Start a program beside the browser; what it says would stand across the screen."""
    subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _agents_here() -> list[str]:
    """Return the agents here in which a session can be gone on with."""
    return [*leaf("handoff.brief").agents_here()] if has_leaf("handoff") else []


def _continuation(store: Store, session: Session, agent: str, *, is_whole: bool) -> Resumption:
    result: Resumption = (
        leaf("handoff.native").imported(store, session, agent)
        if is_whole
        else leaf("handoff.brief").continuation(store, session, agent)
    )
    return result


def _pick_agent(app: App[Any], session: Session, agents: Sequence[str]) -> None:
    """Ask in which agent to go on with a session, and start that with what is handed over."""

    async def start(picked: Pick[tuple[str, bool]] | None) -> None:
        if picked is None:
            return
        agent, is_whole = picked.value
        try:
            result = await browser(app).side.run(
                lambda store: _continuation(store, session, agent, is_whole=is_whole)
            )
        except StoreError as error:
            app.notify(safe(str(error)), severity="warning", markup=False)
            return
        if result.can_run:
            _run(app, result)
        else:
            app.notify(safe(result.obstacle or result.reason), severity="warning", markup=False)

    explanation = _("A new session, where this one ran, with what it came to as the first prompt.")
    picks = [Pick(name, (name, False), _("with a brief"), explanation) for name in agents]
    if not browser(app).read_only:
        explanation = _("It imports the conversation itself, whatever is private in it, and goes on there.")
        whole = [name for name in agents if leaf("handoff.native").takes_whole(session, name)]
        picks += [Pick(name, (name, True), _("the whole conversation"), explanation) for name in whole]
    app.push_screen(PickScreen(_("go on in"), picks, _("starts it")), start)


def _session_of(store: Store, ref: str) -> SessionRow | None:
    session = store.sessions.of_record(store.any_record(ref))
    if session is None:
        return None
    row = store.sessions.row(session)
    return replace(row, session=store.known_projects.followed(row.session))


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
        status = leave_for(
            app, lambda: run_in_foreground(result.command, result.directory, result.variables)
        )
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


MOST = 1_000
"""Memories of which the clipboard is given something."""
MOST_SESSIONS = 20
"""Sessions of which the command is told."""
SHORT = 44
"""Characters that a row has room for."""
BETWEEN = "\n\n---\n\n"


@dataclass(frozen=True, slots=True)
class Copyable:
    """Something of some memories, by what it is called, and what the clipboard is given."""

    name: str
    text: str


async def copy_text(app: App[Any], ref: str) -> None:
    """Give the clipboard the text of one record."""
    text = await browser(app).side.run(lambda store: text_of(store.any_record(ref)))
    app.copy_to_clipboard(text)
    app.notify(_("Copied. Y copies its id, Markdown, files …"))


async def copy_something(app: App[Any], refs: Sequence[str]) -> None:
    """Let the user choose what of some memories the clipboard is given."""
    chosen = refs[:MOST]
    copyables, sessions = await browser(app).side.run(
        partial(_copyables, refs=chosen, database=_named(app))
    )
    if commands := await asyncio.to_thread(_commands, sessions[:MOST_SESSIONS]):
        copyables.append(Copyable(_("Command that resumes it"), commands))
    picks = [
        Pick(
            copyable.name,
            copyable,
            _note(copyable.text),
            safe(" ".join(copyable.text[:400].split())),
        )
        for copyable in copyables
        if copyable.text
    ]
    title = (
        _("copy")
        if len(chosen) == 1
        else _("copy of {memories}", memories=count_noun(len(chosen), "memories"))
    )
    more = len(refs) - len(chosen)

    def copy(picked: Pick[Copyable] | None) -> None:
        if picked is not None:
            app.copy_to_clipboard(safe(picked.value.text, newlines=True))
            content = _("Copied: {name}.", name=picked.name)
            if more:
                content = _(
                    "Copied: {name}. {count} more are too many for the clipboard.",
                    name=picked.name,
                    count=f"{more:,}",
                )
            app.notify(content, markup=False)

    app.push_screen(PickScreen(title, picks, _("copies")), copy)


async def copy_handoff(app: App[Any], ref: str) -> None:
    """Give the clipboard what hands over the session that a record is, or is of."""
    brief = await browser(app).side.run(
        lambda store: _brief(store, [*filter(None, [store.sessions.of_record(store.any_record(ref))])])
    )
    if brief:
        app.copy_to_clipboard(brief)
        app.notify(_("Copied: a brief that hands its session over."))
    else:
        app.notify(_("It belongs to no session that can be handed over."), severity="warning")


def copy_command(app: App[Any], command: str) -> None:
    """Give the clipboard a `mem` command, which is named without `mem`."""
    line = f"{_named(app)} {command}"
    app.copy_to_clipboard(safe(line))
    app.notify(_("Copied: {command}", command=safe(line)), markup=False)


def _copyables(store: Store, refs: Sequence[str], database: str) -> tuple[list[Copyable], list[Session]]:
    records: list[AnyRecord] = []
    for ref in refs:
        try:
            records.append(store.any_record(ref))
        except StoreError:
            continue
    result = map(store.sessions.of_record, records)
    sessions = list({session.id: session for session in result if session is not None}.values())
    names = [ref_of(record) for record in records]
    addresses = [link.address for item in records for link in urls_in(texts_of(item)) if not link.trouble]
    memories = [name for name in names if not name.startswith("@")]
    commands = [f"{database} show {' '.join(memories)}"] if memories else []
    commands += [f"{database} session show {name}" for name in names if name.startswith("@")]
    copyables = [
        Copyable(_("Text"), BETWEEN.join(text_of(entry) for entry in records)),
        Copyable(_("Markdown"), markdown_of(store, refs)),
        Copyable(_("Id"), "\n".join(names)),
        Copyable(_("Uid"), "\n".join(one.uid for one in records)),
        Copyable(_("Paths of its files"), _lines(file[0] for file in listed_files(records))),
        Copyable(_("Addresses"), _lines(addresses)),
        Copyable(_("Session's id"), _lines(one.content_session_id for one in sessions)),
        Copyable(_("Command that shows it"), "\n".join(commands)),
        Copyable(_("Hand over: brief of its session"), _brief(store, sessions)),
    ]
    return copyables, sessions


def _brief(store: Store, sessions: Sequence[Session]) -> str:
    """Return what hands the only session over; "" where there are several, or nothing may be told."""
    if len(sessions) != 1:
        return ""
    with suppress(StoreError):
        return str(leaf("handoff.brief").handoff_of_session(store, sessions[0]).text)
    return ""


def _commands(sessions: Sequence[Session]) -> str:
    return _lines(resumption(session).shell_line for session in sessions)


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(filter(None, parts)))


def _named(app: App[Any]) -> str:
    """Return how `mem` is called for the memory that is shown."""
    from shlex import quote

    path = browser(app).path
    called = mem_command()
    return called if path == default_path() else f"{called} --db {quote(str(path))}"


def _note(text: str) -> str:
    """Return what stands beside the name: what is on one line, else how many lines there are."""
    lines = text.strip("\n").count("\n") + 1
    if lines > 1:
        return count_noun(lines, "lines")
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"

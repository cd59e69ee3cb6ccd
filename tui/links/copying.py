"""What of a memory is copied: its text, Markdown, id, files, addresses, session, and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.app import App

from memtui.store import (
    AnyRecord,
    Note,
    Session,
    Store,
    StoreError,
    mem_command,
    ref_of,
)
from memtui.store.formats.markdown_pages import markdown_of
from memtui.store.formats.transcripts.resumption import resumption
from memtui.store.links.files import listed_files, texts_of, urls_in
from memtui.store.platform.leaves import leaf
from memtui.store.platform.paths import default_path
from memtui.store.platform.translation import _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..lists.picker import Pick, PickScreen
from ..protocol import browser
from ..text.records import as_text

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


def text_of(record: AnyRecord) -> str:
    """Return what a record of any kind says, fit to be pasted into a terminal."""
    if isinstance(record, Note | Session):
        return safe("\n\n".join(texts_of(record)), newlines=True)
    return as_text(record)


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

"""Opening what a memory names: a file in the user's editor, an address in the web browser."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import webbrowser
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from memtui.store import Store, StoreError
from memtui.store.links.editor import open_in_editor
from memtui.store.links.files import FileLink, file_links, texts_of
from memtui.store.links.urls import WebLink, urls_in
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe

from ..lists.picker import Pick, PickScreen
from ..parts.leaving import leave_for
from ..protocol import browser
from ..text import ages

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
    record = store.find(ref)
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

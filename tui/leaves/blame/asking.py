"""Who wrote the lines of a memory's file, and why: a row for each turn, which leads to its edit."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from memtui.store import Store, StoreError, ref_of
from memtui.store.leaves.blame.blame import Part, blame_file, told_lines
from memtui.store.links.files import file_links
from memtui.store.platform.translation import _
from memtui.store.records.fields import title_of
from memtui.store.text.display import safe

from ...going import show_ref
from ...lists.picker import Pick, PickScreen
from ...protocol import browser
from ...text.content import joined

LONGEST_LINES = 24
"""Characters of a row that tell which lines."""


async def ask_who_wrote(app: App[Any], ref: str, name: str = "") -> None:
    """Ask it of the file that a memory names (the one of this `name`), or of the one that is picked."""
    files, missing = await browser(app).side.run(partial(_files, ref=ref, name=name))
    if not files:
        reason = missing or _("It names no file.")
        app.notify(safe(reason), severity="warning", markup=False)
    elif len(files) == 1:
        await show_writers(app, files[0].value, ref)
    else:
        app.push_screen(PickScreen(_("of which file?"), files, _("asks git")), partial(_picked, app, ref))


def _picked(app: App[Any], ref: str, picked: Pick[Path] | None) -> None:
    if picked is not None:
        app.run_worker(show_writers(app, picked.value, ref), group="open")


async def show_writers(app: App[Any], path: Path, ref: str = "") -> None:
    """Show who wrote a file, the turn of this edit first."""
    try:
        picks = await browser(app).reader.run_beside(partial(_picks, path=path, ref=ref))
    except (StoreError, OSError) as error:
        app.notify(safe(str(error)), severity="warning", markup=False)
        return
    title = _("who wrote {file}?", file=path.name)
    app.push_screen(PickScreen(title, picks, _("goes there")), partial(_go, app))


def _go(app: App[Any], picked: Pick[str] | None) -> None:
    if picked is not None:
        app.run_worker(show_ref(app, picked.value), group="open")


def _files(store: Store, ref: str, name: str) -> tuple[list[Pick[Path]], str]:
    """Return its files that are here, and of those that aren't what is wrong with the first."""
    links = file_links(store, store.any_record(ref), name)
    missing = next((f"{link.name}: {link.trouble}" for link in links if link.trouble), "")
    return [Pick(link.name, link.path) for link in links if link.path and not link.trouble], missing


def _picks(store: Store, path: Path, ref: str) -> list[Pick[str]]:
    """Return a row for each turn, that of the edit which was asked from first."""
    parts = blame_file(store, path)
    parts.sort(key=lambda part: all(ref_of(edit) != ref for edit in part.edits))
    titles = store.sessions.titles([part.session.id for part in parts if part.session])
    return [_pick(part, titles) for part in parts]


def _pick(part: Part, titles: dict[int, str]) -> Pick[str]:
    lines = told_lines(part, with_path=False)
    if len(lines) > LONGEST_LINES:
        lines = f"{lines[:LONGEST_LINES].rpartition(',')[0]} …"
    if part.session is None:
        return Pick(f"{lines}  {_('unknown')}", "", trouble=part.sentence)
    asked = title_of(part.asked) if part.asked else ""
    decided = [_("Decided: {what}", what=title_of(one)) for one in part.decided]
    title = titles[part.session.id] or asked or title_of(part.edits[0])
    told = "\n".join(filter(None, ("" if asked == title else asked, *decided)))
    note = joined(ref_of(part.session), part.session.agent, part.session.branch or "")
    return Pick(f"{lines}  {title}", ref_of(part.edits[0]), note, told)

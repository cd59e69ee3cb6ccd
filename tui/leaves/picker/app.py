"""The picker as an app: the browser's connections and settings, and one screen; and what it gives for the
memories that were chosen."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from textual import events
from textual.geometry import Size

from memtui.store import NotFoundError, Record, Store, StoreError
from memtui.store.cli.output.serializers import record_json
from memtui.store.cli.picking import IN_BRACES, PickRequest
from memtui.store.formats.markdown_pages import markdown_of
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ...app import MemApp
from ...links import BETWEEN
from ...row_marks import NewArrivals
from ...settings import Found
from ...text.records import text_of
from .screen import APP_KEYS, PickerScreen

LOOK_AT_SIZE_EVERY = 0.5


class PickerApp(MemApp, inherit_bindings=False):
    """Leaves with `answer`, what is to be printed; None where nothing was picked, and `is_without_match`
    where there was nothing to pick."""

    CSS_PATH = "../../app.tcss"
    BINDINGS = APP_KEYS
    INLINE_PADDING = 0

    answer: str | None = None
    is_without_match = False

    def __init__(
        self,
        path: Path,
        request: PickRequest,
        *,
        lines: int = 0,
        read_only: bool = False,
        now: Callable[[], int] | None = None,
        settings: Found,
    ) -> None:
        """`lines` are those that it takes below the prompt, 0 where it has the whole screen."""
        # Textual copies it of the instance.
        self.__dict__["MODES"] = {"search": lambda: PickerScreen(request.query, lines)}
        browser_settings, problems = settings
        browser_settings = replace(browser_settings, start_screen="search", start_focus="query")
        super().__init__(path, read_only=read_only, now=now, settings=(browser_settings, problems))
        self._request = request
        # A look at the memory to pick of it is no visit.
        self.arrivals = NewArrivals(is_kept=False)

    def on_mount(self) -> None:
        # What hooks left is stored, but whoever picks changes nothing.
        self.read_only = True
        if not self.is_headless:
            self.set_interval(LOOK_AT_SIZE_EVERY, self._look_at_size)

    def _look_at_size(self) -> None:
        """See whether the terminal has another size. Below an editor no signal tells it, and on a busy
        machine one is lost now and then; one before the first layout reaches the app, not its screen."""
        size = Size(*os.get_terminal_size(0))
        if size != self.size:
            self.post_message(events.Resize(size, size))
        elif self.screen.outer_size.width != size.width:
            self.screen.post_message(events.Resize(size, size))

    async def take(self, refs: tuple[str, ...]) -> None:
        """Leave with some memories; with none, without a match."""
        if not refs:
            self.is_without_match = True
            self.exit()
            return
        request = self._request
        try:
            result = await self.side.run(lambda store: answer(store, refs, request))
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if not result:
            self.notify(_("It is gone meanwhile."), severity="warning")
            return
        await self.history.remember(self.screen.query_one("#query").value)  # type: ignore[attr-defined]
        if request.clipboard:
            self.copy_to_clipboard(result.removesuffix("\n"))
        self.answer = result
        self.exit()

    def action_cancel(self) -> None:
        """Leave without picking."""
        self.exit()


LONGEST_TITLE = 100
"""Characters of a title in a reference."""
ESCAPES = {"\\n": "\n", "\\t": "\t"}
"""What can be written so in a template."""
INERT = str.maketrans(
    {"'": "’", '"': "”", "`": "‘", **{char: chr(ord(char) + 0xFEE0) for char in "$\\!;&|<>()"}}
)
"""What a shell could take for more than a letter, and what stands there instead: a stored text must not
run. Whether a quote or a here-document is open the line that is edited doesn't tell, so that none of it
ever stays."""


def answer(store: Store, refs: Sequence[str], request: PickRequest) -> str:
    """Return what is printed of some memories, with the line break that ends it; those that are gone
    meanwhile are left out."""
    written = _written(store, refs, request)
    if request.quote_after is not None:
        return quoted(" ".join(written.split("\n")).strip(), request.quote_after)
    return written


def quoted(text: str, before: str) -> str:
    """Return a text as one word of a shell's line, or as a part of the word in quotes that the line has
    begun `before`: bash, zsh and fish read it alike, and nothing in it is a command to them, wherever it
    comes to stand."""
    plain = text.translate(INERT)
    return plain if open_quote(before) else f"'{plain}'"


def open_quote(line: str) -> str:
    """Return the quote that a shell's line has opened and not closed, `` for none."""
    quote, is_escaped = "", False
    for char in line:
        if is_escaped:
            is_escaped = False
        elif char == "\\" and quote != "'":
            is_escaped = True
        elif not quote and char in "'\"":
            quote = char
        elif char == quote:
            quote = ""
    return quote


def _written(store: Store, refs: Sequence[str], request: PickRequest) -> str:
    if not request.template and request.format == "markdown":
        return safe(markdown_of(store, refs), newlines=True)
    records = list(_records(store, refs))
    if not records:
        return ""
    if request.template:
        template = _unescaped(request.template)
        parts = [_filled(template, _fields(store, record)) for record in records]
        return "".join(part if part.endswith("\n") else f"{part}\n" for part in parts)
    match request.format:
        case "json":
            return json.dumps([record_json(item) for item in records], ensure_ascii=False) + "\n"
        case "text":
            return BETWEEN.join(text_of(entry) for entry in records) + "\n"
        case "id":
            return "".join(f"{store.list_row(one).ref}\n" for one in records)
    return "".join(f"{_fields(store, one)['reference']()}\n" for one in records)


def _records(store: Store, refs: Sequence[str]) -> Iterator[Record]:
    for ref in refs:
        try:
            yield store.record(ref)
        except NotFoundError:
            continue


def _fields(store: Store, record: Record) -> Mapping[str, Callable[[], str]]:
    """What a template can name of a record, each made when it is asked for."""
    row = store.list_row(record)

    def session() -> str:
        sessions = store.sessions.by_ids([row.session_id]) if row.session_id is not None else []
        return sessions[0].content_session_id if sessions else ""

    return {
        "id": lambda: row.ref,
        "uid": lambda: record.uid,
        "kind": lambda: row.kind,
        "type": lambda: row.type,
        "title": lambda: row.title,
        "project": lambda: row.project,
        "agent": lambda: row.agent,
        "session": session,
        "date": lambda: f"{datetime.fromtimestamp(row.created_at / 1000):%Y-%m-%d}",
        "text": lambda: text_of(record),
        "reference": lambda: f"[mem {row.ref}: {_short(row.title)}]",
    }


def _filled(template: str, fields: Mapping[str, Callable[[], str]]) -> str:
    return re.sub(
        IN_BRACES,
        lambda match: safe(fields[match[1]](), newlines=match[1] == "text"),
        template,
    )


def _unescaped(template: str) -> str:
    for written, meant in ESCAPES.items():
        template = template.replace(written, meant)
    return template


def _short(title: str) -> str:
    title = safe(title)
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1].rstrip()}…"

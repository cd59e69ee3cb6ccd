"""What a picker gives for the memories that were chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from memtui.store import NotFoundError, Record, Store
from memtui.store.cli.output.serializers import record_json
from memtui.store.cli.picking import IN_BRACES, PickRequest
from memtui.store.formats.markdown.session_page import markdown_of
from memtui.store.text.display import safe

from ..links.copying import BETWEEN, text_of

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

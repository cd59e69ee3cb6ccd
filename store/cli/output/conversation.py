"""A session's conversation on a terminal: as Markdown, or as a JSON object."""

from __future__ import annotations

from ...capture.conversation import conversation
from ...capture.conversation_entries import conversation_markdown
from ...records.rows import Session
from ...store import Store
from .console import print_json, print_text


def print_conversation(store: Store, session: Session, *, as_json: bool) -> None:
    """Print what was asked, done and said in a session, in order."""
    listed = conversation(store, session)
    if not as_json:
        print_text(conversation_markdown(listed, store.sessions.row(session).title or "untitled"))
        return
    names = ("kind", "at", "title", "type", "text", "refs", "path", "depth")
    entries = [{name: getattr(entry, name) for name in names} for entry in listed.entries]
    print_json({"entries": entries, "source": listed.source})

"""Gemini CLI's older chats: one JSON object a file, rewritten at every message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...capture.events import Event
from .fields import mapping
from .gemini import GeminiReader
from .gemini_places import working_directory
from .parts import load, text


class GeminiFile:
    """Reads `tmp/<project>/chats/session-….json`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self) -> Iterator[Event]:
        """All its events; ValueError where the file is no chat."""
        content = self.path.read_bytes()
        try:
            chat = load(content)
        except ValueError as error:
            raise ValueError(f"{self.path} is no JSON ({error}). Was it cut off?") from error
        chat = {"messages": chat} if isinstance(chat, list) else mapping(chat)
        if not isinstance(chat.get("messages"), list):
            raise ValueError(f"{self.path} is no chat of Gemini CLI's: it has no list of messages.")
        project = text(chat.get("projectHash"))
        directory = working_directory(self.path, project, content.decode(errors="replace"))
        reader = GeminiReader(self.path, {"cwd": directory})
        yield from reader.events(chat)
        yield from reader.pending()

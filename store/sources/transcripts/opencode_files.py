"""OpenCode's sessions in JSON: what `opencode export` writes, and the folders it kept before 1.2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...capture.events import Event
from . import opencode_v2
from .fields import mapping, moment_of
from .opencode_messages import Message, Session, root_of, told
from .parts import Record, load, objects, text


class OpenCodeExport:
    """Reads what `opencode export` writes, of both versions: `{info, messages}`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self) -> Iterator[Event]:
        """All its events; ValueError where it is no such export."""
        export = document(self.path)
        info = mapping(export.get("info"))
        if not text(info.get("id")) or not isinstance(export.get("messages"), list):
            raise ValueError(
                f"{self.path} is no export of OpenCode's: it has no info and messages."
            )
        parent = text(info.get("parentID"))
        session = session_of(info, parent or info["id"], self.path)
        yield from told(session, list(exported(objects(export["messages"]))))


class OpenCodeStorage:
    """Reads `storage/session/<project>/<session>.json` and the messages and parts that belong to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unread: list[Path] = []

    def events(self) -> Iterator[Event]:
        """All its events.

        Raises ValueError where it is no session, and at the end where files that belong to it
        can't be read.
        """
        info = document(self.path)
        if not text(info.get("id")):
            raise ValueError(f"{self.path} is no session of OpenCode's: it has no id.")
        self._unread = []
        session = session_of(info, root_of(info["id"], self._parents(info)), self.path)
        yield from told(session, self._messages(info["id"]))
        if self._unread:
            raise ValueError(
                f"{len(self._unread)} files of the session in {self.path} can't be read, "
                f"the first is {self._unread[0]}."
            )

    def _parents(self, info: Record) -> dict[str, str]:
        found: dict[str, str] = {}
        identity, parent = text(info.get("id")), text(info.get("parentID"))
        while parent and identity not in found:
            found[identity] = parent
            beside = self.path.with_name(f"{Path(parent).name}.json")
            above = document(beside) if beside.is_file() else {}
            identity, parent = parent, text(above.get("parentID"))
        return found

    def _messages(self, session: str) -> list[Message]:
        storage = self.path.parents[2] if len(self.path.parents) > 2 else self.path.parent
        messages = []
        for info in self._records(storage / "message" / Path(session).name):
            name = Path(text(info.get("id"))).name
            parts = list(self._records(storage / "part" / name)) if name else []
            messages.append(Message(info, parts))
        return sorted(messages, key=made)

    def _records(self, folder: Path) -> Iterator[Record]:
        for file in sorted(folder.glob("*.json")):
            try:
                yield document(file)
            except (ValueError, OSError):
                self._unread.append(file)


def exported(messages: list[Record]) -> Iterator[Message]:
    """Messages as version 1 exports them, or as version 2 does."""
    for each in messages:
        if "info" in each:
            yield Message(mapping(each["info"]), objects(each.get("parts")))
        elif message := opencode_v2.message(text(each.get("id")), text(each.get("type")), each):
            yield message


def session_of(info: Record, root: str, path: Path) -> Session:
    """The session that an `info` tells of."""
    directory = text(info.get("directory")) or text(mapping(info.get("location")).get("directory"))
    at = moment_of(mapping(info.get("time")).get("created"))
    title = text(info.get("title")) or None
    return Session(info["id"], root, directory or None, title, at, str(path))


def made(message: Message) -> tuple[int, str]:
    """What messages are ordered by: when they were made, then their ids, which grow."""
    at = moment_of(mapping(message.info.get("time")).get("created"))
    return at or 0, text(message.info.get("id"))


def document(path: Path) -> Record:
    """The object in a JSON file; ValueError where there is none."""
    try:
        found = load(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} is no JSON ({error}). Was it cut off?") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path} is no JSON object.")
    return found

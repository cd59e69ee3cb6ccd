"""The entry of our MCP server in a JSON configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ...agents.base import Json
from ...records.dataclasses import dataclass
from ...records.dataclasses import replace as with_other
from ...text.jsonc import Container, append, find, parse, remove, replace
from ...translation import _
from .server_words import NAME, is_ours, words_of_entry

COMMAND_KEYS = ("command", "args")


@dataclass(frozen=True, slots=True)
class JsonServer:
    """Our server among those that a configuration holds by name, under `key`."""

    key: str
    entry: Json

    def put(self, text: str) -> str:
        """Return the text with our entry; one that is there keeps its place and its settings, and only
        gets the command. A server of this name that isn't ours stays as it is."""
        root = parse(text) if text.strip() else None
        if root is None:
            return json.dumps({self.key: {NAME: self.entry}}, ensure_ascii=False, indent=2) + "\n"
        if not isinstance(root, Container) or not root.is_object:
            raise ValueError(_("it holds no object"))
        servers = root.at(self.key)
        if servers is None:
            return append(text, (), {NAME: self.entry}, self.key)
        if not isinstance(servers.value, Container) or not servers.value.is_object:
            raise ValueError(_('"{key}" is not an object', key=self.key))
        there = servers.value.at(NAME)
        if there is None:
            return append(text, (self.key,), self.entry, NAME)
        return self._renewed(text, there.value.data)

    def take(self, text: str, original: str | None = None) -> str:
        """Return the text without our entry, and without the object that this leaves empty, unless
        that was there in the original."""
        while self.found_in(text) is not None:
            text = remove(text, (self.key, NAME))
            servers = find(text, (self.key,))
            had_some = original is not None and original.strip() and find(original, (self.key,))
            if isinstance(servers, Container) and not servers.items and not had_some:
                text = remove(text, (self.key,))
        return text

    def found_in(self, text: str) -> JsonServer | None:
        """Return our entry as it stands in the text; None where there is none of ours."""
        entry = self.entry_in(text)
        if entry is None or not is_ours(words_of_entry(entry)):
            return None
        ours = {key: entry[key] for key in self.entry if key in entry}
        return with_other(self, entry=self.entry | ours)

    def entry_in(self, text: str) -> Mapping[str, object] | None:
        """Return the entry of our name, be it ours or not; None where there is none."""
        return named_entry(text, self.key)

    def check(self, text: str) -> None:
        """Raise ValueError where it is no JSON."""
        parse(text)

    def is_bare(self, text: str) -> bool:
        """Return whether nothing is left but an object that holds nothing."""
        return "".join(text.split()) == "{}"

    def _renewed(self, text: str, there: object) -> str:
        if not isinstance(there, dict) or not is_ours(words_of_entry(there)):
            return text
        for key in COMMAND_KEYS:
            if key not in self.entry or there.get(key) == self.entry[key]:
                continue
            if key in there:
                text = replace(text, (self.key, NAME, key), self.entry[key])
            else:
                text = append(text, (self.key, NAME), self.entry[key], key)
        return text


def named_entry(text: str, key: str) -> Mapping[str, object] | None:
    """The entry of our name; None where there is none, an empty one for what is no entry.

    ValueError where the text is not valid JSON.
    """
    if not text.strip():
        return None
    root = parse(text).data
    servers = root.get(key) if isinstance(root, dict) else None
    if not isinstance(servers, dict) or NAME not in servers:
        return None
    entry = servers[NAME]
    return entry if isinstance(entry, dict) else {}

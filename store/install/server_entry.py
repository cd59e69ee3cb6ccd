"""The entry of our MCP server in an agent's configuration, of JSON or of TOML: the command that starts it,
and how it is recognized there.

It is put in and taken out as text: a library that writes the file anew may change bytes that nobody asked
to change. What comes of it is compared, by its values, with what was wanted.
"""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..agents.base import Json
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..records.dataclasses import replace as with_other
from ..text.jsonc import Container, append, find, line_break_of, parse, remove, replace
from .surroundings import Launcher

NAME = "memtui"
"""What our server is called in agents' configurations."""

PROGRAM = re.compile(r"(?:^|[\\/])store[\\/]cli[\\/]mem\.py$")
BY_HAND = re.compile(r"(?:^|[\\/])mem(?:\.exe)?$")


def server_words(launcher: Launcher, database: Path | None = None) -> tuple[str, ...]:
    """The command as separate words. `database` is named in it, unless None: the user's own.

    The interpreter looks neither at the variables that agents pass on nor at where they run it.
    """
    words = (str(launcher.python), "-E", "-P", str(launcher.program), "mcp")
    return words if database is None else (*words, "--db", str(database))


def is_ours(words: Sequence[str]) -> bool:
    """Whether a command starts our server, in whatever spelling, one written by hand too."""
    return "mcp" in words and (
        any(PROGRAM.search(word) for word in words) or bool(BY_HAND.search(words[0]))
    )


def words_of_entry(entry: Mapping[str, object]) -> tuple[str, ...]:
    """The command that an entry of any agent's names, as separate words; none where it names none."""
    command, arguments = entry.get("command"), entry.get("args", [])
    head = command if isinstance(command, list) else [command]
    words = [*head, *(arguments if isinstance(arguments, list) else [])]
    return tuple(words) if all(isinstance(word, str) for word in words) else ()


def fault_of_server(words: Sequence[str]) -> str:
    """Say in a few words why our server can't be started; `` where nothing is seen to be amiss."""
    if shutil.which(words[0]) is None:
        return _("{words} is gone", words=words[0])
    for word in words:
        if PROGRAM.search(word) and not Path(word).is_file():
            return _("{word} is gone", word=word)
    return ""


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
        return _named_entry(text, self.key)

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


HEADER = re.compile(r"[ \t]*\[\[?[^\r\n]*")
"""The line that begins a table."""


@dataclass(frozen=True, slots=True)
class TomlServer:
    """Our server among the tables of servers below the table `key`."""

    key: str
    entry: Json

    def put(self, text: str) -> str:
        """Return the text with our table at its end; one that is there keeps its place and its
        settings, and only gets the command. A server of this name that isn't ours stays as it is."""
        values = tomllib.loads(text)
        entry = _entry(values, self.key)
        if entry is None:
            line_break = line_break_of(text)
            gap = "" if not text else line_break if text.endswith("\n") else line_break * 2
            after = text + gap + self._table(line_break)
            return self._checked(after, values, self.entry)
        ours = {key: self.entry[key] for key in self.entry if entry.get(key) != self.entry[key]}
        if not is_ours(words_of_entry(entry)) or not ours:
            return text
        return self._checked(self._renewed(text, ours), values, {**entry, **ours})

    def take(self, text: str, original: str | None = None) -> str:  # noqa: ARG002
        """Return the text without our table, what others added to that included."""
        server = self.found_in(text)
        if server is None:
            return text
        table = server._table(line_break_of(text))
        if text.count(table) == 1:
            start = text.index(table)
            end = start + len(table)
            after = _joined(text[:start], text[end:])
            values = tomllib.loads(text)
            if _is_without(after, values, self.key):
                return after
        return self._without_lines(text)

    def found_in(self, text: str) -> TomlServer | None:
        """Return our table as it stands in the text; None where there is none of ours."""
        entry = self.entry_in(text)
        if entry is None or not is_ours(words_of_entry(entry)):
            return None
        return with_other(self, entry={key: entry.get(key, self.entry[key]) for key in self.entry})

    def entry_in(self, text: str) -> Mapping[str, object] | None:
        """Return the table of our name, be it ours or not; None where there is none."""
        return _entry(tomllib.loads(text), self.key)

    def check(self, text: str) -> None:
        """Raise ValueError where it is no TOML."""
        tomllib.loads(text)

    def is_bare(self, text: str) -> bool:
        """Return whether nothing is left."""
        return not text.strip()

    def _table(self, line_break: str) -> str:
        lines = [f"[{self.key}.{NAME}]", *(f"{k} = {_toml(v)}" for k, v in self.entry.items())]
        return "".join(line + line_break for line in lines)

    def _checked(self, after: str, before: Mapping[str, object], entry: object) -> str:
        """The new text, if it says what it said before and our entry."""
        servers = before.get(self.key, {})
        if not isinstance(servers, dict):
            raise ValueError(_("{key} is not a table", key=self.key))
        try:
            is_meant = tomllib.loads(after) == {**before, self.key: {**servers, NAME: entry}}
        except ValueError:
            is_meant = False
        if not is_meant:
            raise ValueError(_("its {key} leave no place for a table of their own", key=self.key))
        return after

    def _renewed(self, text: str, ours: Json) -> str:
        import tomlkit

        document = tomlkit.parse(text)
        if tomlkit.dumps(document) != text:
            raise ValueError(_("it is written in a way that would not be kept"))
        table = document[self.key][NAME]
        for key, value in ours.items():
            table[key] = value
        return tomlkit.dumps(document)

    def _without_lines(self, text: str) -> str:
        """The text without our table as others have written it: up to the next one, but for comments
        that stand before that."""
        values = tomllib.loads(text)
        lines = text.splitlines(keepends=True)
        ours = re.compile(rf"""[ \t]*\[\s*{self.key}\s*\.\s*["']?{NAME}["']?\s*[.\]]""")
        kept: list[str] = []
        is_ours = False
        pending: list[str] = []
        for line in lines:
            if HEADER.match(line):
                was_ours, is_ours = is_ours, bool(ours.match(line))
                if was_ours and not is_ours:
                    kept += pending
                pending = []
            if not is_ours:
                kept.append(line)
            elif line.lstrip().startswith("#") or not line.strip():
                pending.append(line)
            else:
                pending = []
        after = "".join(kept)
        if not _is_without(after, values, self.key):
            raise ValueError(
                _("the table {key}.{name} can't be told from the rest", key=self.key, name=NAME)
            )
        return after


def _named_entry(text: str, key: str) -> Mapping[str, object] | None:
    """The entry of our name; None where there is none, an empty one for what is no entry.

    ValueError where the text is not valid JSON.
    """
    if not text.strip():
        return None
    root = parse(text).data
    return _entry(root, key) if isinstance(root, dict) else None


def _entry(values: Mapping[str, object], key: str) -> Mapping[str, object] | None:
    servers = values.get(key)
    if not isinstance(servers, dict) or NAME not in servers:
        return None
    entry = servers[NAME]
    return entry if isinstance(entry, dict) else {}


def _is_without(after: str, before: Mapping[str, object], key: str) -> bool:
    """Whether a text says what it said before without our entry."""
    servers = before.get(key)
    assert isinstance(servers, dict)
    left = {name: value for name, value in servers.items() if name != NAME}
    wanted = {**before, key: left}
    try:
        results = tomllib.loads(after)
    except ValueError:
        return False
    return results == wanted or (not left and results == {k: v for k, v in before.items() if k != key})


def _joined(head: str, tail: str) -> str:
    """What stood before our table and behind it, without the empty line that we put before it."""
    for line_break in ("\r\n", "\n"):
        if head.endswith(line_break * 2):
            return head[: -len(line_break)] + tail
    return head + tail


def _toml(value: object) -> str:
    """A text or a list of texts; what JSON writes of one is TOML, but for one letter."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

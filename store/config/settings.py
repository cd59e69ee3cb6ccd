"""The tables of `config.toml` and each setting of them, made of what the records declare. Reading, checks,
`mem config`, the template and docs/settings.md go by these.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from ..records.dataclasses import asdict
from . import records, values
from .values import Reader


class Setting(NamedTuple):
    """A setting: its table and name, how it is read, what it does, in a sentence, its values where they
    are few, an example as TOML, and what holds where the file doesn't say. In a table of the user's own
    names it describes all of them, and its name is what they stand for."""

    table: str
    name: str
    read: Reader
    sentence: str
    allowed: tuple[str, ...] = ()
    example: str = ""
    default: Any = None

    @property
    def key(self) -> str:
        """Its whole name, `browser.theme`."""
        return f"{self.table}.{self.name}"


class SettingsTable(NamedTuple):
    """A table of the file: what it is for, what holds where the file can't be read, and its settings by
    name; whether its names are the user's own."""

    name: str
    sentence: str
    otherwise: str
    settings: dict[str, Setting]
    is_open: bool = False


def _table(name: str, record: type[Any], sentence: str, otherwise: str) -> SettingsTable:
    """A table of what a record declares."""
    defaults = asdict(record())
    settings: dict[str, Setting] = {}
    for field, declared in record.__layout__.fields.items():
        if isinstance(declared, records.SettingField):
            allowed = tuple(filter(None, (declared.off, *_allowed(declared))))
            settings[field] = Setting(
                name,
                field,
                _reader(declared, allowed),
                declared.sentence,
                allowed,
                declared.example,
                declared.off or defaults[field],
            )
    return SettingsTable(name, sentence, otherwise, settings)


def _allowed(declared: records.SettingField) -> tuple[str, ...]:
    return declared.allowed or get_args(getattr(records, declared.annotation, None))


def _reader(declared: records.SettingField, allowed: tuple[str, ...]) -> Reader:
    if allowed == records.SCREENS:
        return values.renamed(records.RENAMED_SCREENS, values.one_of(*allowed))
    if allowed:
        # That it is empty says that none of them is wanted.
        return values.one_of(*allowed) if declared.default else values.one_of("", *allowed)
    if declared.least:
        return values.many
    return _READERS[declared.annotation]


_READERS: dict[str, Reader] = {
    "bool": values.flag,
    "float": values.seconds,
    "float | None": values.number,
    "int": values.amount,
    "str": values.text,
    "tuple[str, ...]": values.words,
}
"""How a setting is read, by its annotation."""


def _open_table(
    name: str, sentence: str, otherwise: str, what: str, read: Reader, does: str, **more: Any
) -> SettingsTable:
    """A table of the user's own names, each of which is read in one way; `what` they stand for."""
    return SettingsTable(name, sentence, otherwise, {what: Setting(name, what, read, does, **more)}, True)


TABLES = {
    table.name: table
    for table in (
        _table(
            "observer",
            records.ModelSettings,
            "What turns agents' work into memories: rules, which cost nothing, or a model.",
            "The rules observe.",
        ),
        _table(
            "embeddings",
            records.EmbeddingsSettings,
            "A model that makes vectors of texts, so that of what a search finds by words what means "
            "the same comes sooner. Off until a provider is named.",
            "memtui's own word vectors compare meaning.",
        ),
        _table("backup", records.BackupSettings, "Daily backups.", "No daily backup is made."),
        _table(
            "context",
            records.ContextSettings,
            "When sessions are told what is remembered, besides at their start.",
            "Sessions are told at their start only.",
        ),
        _table(
            "search",
            records.SearchSettings,
            "What searches list, and how.",
            "A search lists each turn once, and compares meaning.",
        ),
        _table(
            "history",
            records.HistorySettings,
            "How long changes are kept, to be undone and looked back at.",
            "90 days or 100 MB of changes are kept.",
        ),
        _table(
            "memory",
            records.MemorySettings,
            "What waits for your word before it counts.",
            "Nothing waits.",
        ),
        _table(
            "archive",
            records.ArchiveSettings,
            "Whether agents' transcripts, plans and notes are kept where the agents delete them.",
            "Nothing is archived.",
        ),
        _table(
            "browser",
            records.BrowserSettings,
            "How the browser looks, starts and is driven.",
            "The browser starts with its defaults.",
        ),
        _open_table(
            "browser.panes",
            "How wide or high panes are.",
            "Panes have their usual sizes.",
            "NAME",
            values.percent,
            "The percentage that the first pane of a split takes; set by keys and mouse in the browser.",
            example="search = 54",
        ),
        _open_table(
            "browser.colors",
            "The colours of types.",
            "Types have their usual colours.",
            "TYPE",
            values.color,
            "The colour of a type: #rrggbb, a colour of the theme (accent, error …) or a name (red …).",
            example='bugfix = "#d97a7a"',
        ),
        _open_table(
            "prices",
            "What models cost, by the names that transcripts have, for `mem stats` and the statistics: in "
            "place of the list prices that come with the program.",
            "Tokens cost what the list prices say.",
            "MODEL",
            values.price,
            "Dollars for a million tokens of a model: read, written, and where they cost less or more, "
            "read from the cache and written to it.",
            example='"qwen3:4b" = [0.1, 0.4]',
        ),
        _open_table(
            "mappings",
            "How `mem import NAME FILE` reads JSON lines of your own: which field of a line holds what.",
            "No JSON lines of your own can be imported.",
            "NAME.WHAT",
            values.mapped_field,
            "The field that holds it; dots lead into objects. A line needs a title or a text.",
            allowed=values.MAPPED,
            example='journal.text = "entry.body"',
        ),
        _open_table(
            "keys",
            "Keys of the browser, by the names that its help lists.",
            "Keys are the usual ones.",
            "NAME",
            values.keys,
            "The key, or several with commas, in place of the usual one.",
            example='search.pin = "P"',
        ),
    )
}
SETTINGS = tuple(setting for table in TABLES.values() for setting in table.settings.values())


def setting_of(key: str) -> Setting | None:
    """Return what describes a key, `browser.theme` or `keys.search.pin`; None where there is none."""
    # The longest name of a table first.
    for name in sorted(TABLES, key=len, reverse=True):
        if key.startswith(f"{name}."):
            table = TABLES[name]
            if table.is_open:
                return next(iter(table.settings.values()))
            return table.settings.get(key.removeprefix(f"{name}."))
    return None

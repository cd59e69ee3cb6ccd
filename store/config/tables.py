"""The tables of `config.toml`, and what describes a setting of one."""

from __future__ import annotations

from typing import Any, NamedTuple

from .records import (
    ArchiveSettings,
    BackupSettings,
    BrowserSettings,
    ContextSettings,
    EmbeddingsSettings,
    HistorySettings,
    ModelSettings,
    SearchSettings,
)
from .values import Reader, one_of


class SettingsTable(NamedTuple):
    """A table of the file: what it is for, what holds where the file can't be read, the record that
    holds its defaults, and whether its names are the user's own."""

    name: str
    sentence: str
    otherwise: str
    record: type[Any]
    is_open: bool = False


class Setting(NamedTuple):
    """A setting: its table and name, how it is read, what it does, in a sentence, its values where they
    are few, and an example as TOML. In a table of the user's own names it describes all of them, and
    its name is what they stand for."""

    table: str
    name: str
    read: Reader
    sentence: str
    allowed: tuple[str, ...] = ()
    example: str = ""

    @property
    def key(self) -> str:
        """Its whole name, `browser.theme`."""
        return f"{self.table}.{self.name}"

    @property
    def default(self) -> Any:
        """What holds where the file doesn't say; None where that is nothing."""
        owner = TABLES[self.table]
        if owner.is_open:
            return None
        return defaults(owner.record).get(self.name)


def defaults(record: type[Any]) -> dict[str, Any]:
    """Return what a table says where the file is silent."""
    from ..records.dataclasses import asdict

    if record is ModelSettings:
        return asdict(ModelSettings("openai")) | {"kind": "rules"}
    if record is EmbeddingsSettings:
        return asdict(EmbeddingsSettings("static")) | {"provider": "off"}
    return asdict(record())


def choice(table: str, name: str, allowed: tuple[str, ...], sentence: str) -> Setting:
    """A setting that is one of a few texts."""
    return Setting(table, name, one_of(*allowed), sentence, allowed)


TABLES = {
    one.name: one
    for one in (
        SettingsTable(
            "observer",
            "What turns agents' work into memories: rules, which cost nothing, or a model.",
            "The rules observe.",
            ModelSettings,
        ),
        SettingsTable(
            "embeddings",
            "A model that makes vectors of memories, so that a search finds what says the same in "
            "other words. Off until a provider is named.",
            "Searches go without vectors.",
            EmbeddingsSettings,
        ),
        SettingsTable("backup", "Daily backups.", "No daily backup is made.", BackupSettings),
        SettingsTable(
            "context",
            "When sessions are told what is remembered, besides at their start.",
            "Sessions are told at their start only.",
            ContextSettings,
        ),
        SettingsTable("search", "What searches list.", "A search lists each turn once.", SearchSettings),
        SettingsTable(
            "history",
            "How long changes are kept, to be undone and looked back at.",
            "90 days or 100 MB of changes are kept.",
            HistorySettings,
        ),
        SettingsTable(
            "archive",
            "Whether agents' transcripts, plans and notes are kept where the agents delete them.",
            "Nothing is archived.",
            ArchiveSettings,
        ),
        SettingsTable(
            "browser",
            "How the browser looks, starts and is driven.",
            "The browser starts with its defaults.",
            BrowserSettings,
        ),
        SettingsTable(
            "browser.panes",
            "How wide or high panes are.",
            "Panes have their usual sizes.",
            BrowserSettings,
            True,
        ),
        SettingsTable(
            "browser.colors",
            "The colours of types.",
            "Types have their usual colours.",
            BrowserSettings,
            True,
        ),
        SettingsTable(
            "prices",
            "What models cost, by the names that transcripts have, for `mem stats` and the statistics: in "
            "place of the list prices that come with the program.",
            "Tokens cost what the list prices say.",
            BrowserSettings,
            True,
        ),
        SettingsTable(
            "mappings",
            "How `mem import NAME FILE` reads JSON lines of your own: which field of a line holds what.",
            "No JSON lines of your own can be imported.",
            BrowserSettings,
            True,
        ),
        SettingsTable(
            "keys",
            "Keys of the browser, by the names that its help lists.",
            "Keys are the usual ones.",
            BrowserSettings,
            True,
        ),
    )
}

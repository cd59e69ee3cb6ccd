"""What people read of the settings: the commented file to start with, and the tables of
docs/settings.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..config.settings import SETTINGS, settings_of
from ..config.tables import TABLES, Setting
from ..text.wrapping import lines
from ..translation import N_, _

HEAD = N_(
    "The configuration of memtui. What begins with # is not in force: the line shows the default, or an "
    "example. `mem config list` shows what holds, `mem config check` what is wrong in here."
)
WIDTH = 100


def toml_value(value: Any) -> str:
    """Return a value as TOML writes it, on one line."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def template() -> str:
    """Return a configuration that describes each setting in the user's language, and sets none."""
    results = [*_comment(_(HEAD)), ""]
    for table in TABLES.values():
        results += [*_comment(_(table.sentence)), f"[{table.name}]", ""]
        for setting in settings_of(table.name).values():
            results += [*_comment(_(setting.sentence)), *_allowed(setting), _line(setting), ""]
    return "\n".join(results).rstrip() + "\n"


def reference() -> str:
    """Return the settings as Markdown in English, a table for each of the file's."""
    return "\n".join(_pages()).strip() + "\n"


def _pages() -> Iterator[str]:
    for table in TABLES.values():
        yield f"### `[{table.name}]`\n\n{table.sentence}\n"
        yield "| setting | default | what it does |\n|---|---|---|"
        for setting in SETTINGS:
            if setting.table == table.name:
                default = "" if setting.default in (None, "", ()) else toml_value(setting.default)
                allowed = ", ".join(f"`{text}`" for text in setting.allowed)
                rest = f" One of {allowed}." if allowed else ""
                rest += f" Example: `{_example(setting)}`" if setting.example else ""
                shown = f"`{default}`" if default else ""
                yield f"| `{setting.name}` | {shown} | {setting.sentence}{rest} |"
        yield ""


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in lines(text, WIDTH - 2)]


def _allowed(setting: Setting) -> list[str]:
    if not setting.allowed:
        return []
    return _comment(_("One of {values}.", values=", ".join(setting.allowed)))


def _example(setting: Setting) -> str:
    return setting.example if TABLES[setting.table].is_open else f"{setting.name} = {setting.example}"


def _line(setting: Setting) -> str:
    if setting.example:
        return f"# {_example(setting)}"
    return f"# {setting.name} = {toml_value(setting.default)}"

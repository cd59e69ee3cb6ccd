"""Changing `config.toml`: comments, order, unknown keys and the file's mode stay, and of two who write at
once neither loses anything. The commented file to start with, and the tables of docs/settings.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from ..config.file import config_path, parse, read_text
from ..config.reading import Problem, browser_settings, line_of_key, problems_of
from ..config.settings import SETTINGS, TABLES, Setting, setting_of
from ..config.values import did_you_mean
from ..database.files import atomic
from ..database.files.locks import DirectoryLock
from ..platform.errors import ConfigurationError
from ..platform.translation import N_, _
from ..text.wrapping import lines

PATIENCE_SECONDS = 5.0
PATIENCE_WITH_BROWSER = 30.0


class SettingError(ConfigurationError):
    """There is no such setting, or it can't be what was asked for; nothing was written."""


def checked(key: str, value: object) -> Any:
    """Return a value as the file is to have it; None, which unsets, stays. SettingError says why there
    is no such key, or why it can't be that."""
    setting = known(key)
    if value is None:
        return None
    try:
        result = setting.read(key, value)
    except ValueError as error:
        raise SettingError(str(error)) from error
    return list(result) if isinstance(result, tuple) else result


def known(key: str) -> Setting:
    """Return the description of a key; SettingError names the nearest where there is none."""
    setting = setting_of(key)
    if setting is None:
        keys = [row.key for row in SETTINGS if not TABLES[row.table].is_open]
        raise SettingError(_("There is no setting {key}.", key=key) + did_you_mean(key, keys))
    return setting


def change(changes: Mapping[str, object], path: Path | None = None) -> None:
    """Set keys (`browser.theme`, `keys.search.pin`) to values, or unset those that are None; all or none.

    SettingError where a value is wrong, by itself or beside the others; ConfigurationError where the
    file can't be read or written.
    """
    values = {key: checked(key, value) for key, value in changes.items()}
    # What a link leads to is written, and stands elsewhere.
    place = Path(os.path.realpath(path or config_path()))
    try:
        atomic.make_directories(place.parent)
        with DirectoryLock(bytes(place.parent), PATIENCE_SECONDS) as held:
            if not held:
                raise ConfigurationError("Another process is writing {place}. Try again.", place=place)
            before = read_text(place) or ""
            after = changed(before, values, place)
            _refuse_worse(before, after, place)
            if after != before:
                atomic.write(place, after.encode())
    except OSError as error:
        raise ConfigurationError(
            "{place} can't be written ({error}).", place=place, error=error.strerror or error
        ) from error


def tables_after(changes: Mapping[str, object]) -> dict[str, Any]:
    """Return the tables of the file as they would be after `change`, which raises the same; nothing is
    written."""
    values = {key: checked(key, value) for key, value in changes.items()}
    place = Path(os.path.realpath(config_path()))
    before = read_text(place) or ""
    after = changed(before, values, place)
    _refuse_worse(before, after, place)
    return parse(after, place)


def changed(text: str, values: Mapping[str, Any], path: Path) -> str:
    """Return the text of a configuration with keys set or unset."""
    import tomlkit

    wanted = parse(text, path)
    try:
        document = tomlkit.parse(text)
        for key, value in values.items():
            table = known(key).table
            name = key.removeprefix(f"{table}.")
            _put(wanted, table, name, value)
            _put(document, table, name, value, tomlkit)
        after = tomlkit.dumps(document)
        is_as_wanted = _filled(parse(after, path)) == _filled(wanted)
    except (ValueError, TypeError, RecursionError, ConfigurationError):
        is_as_wanted = False
    if not is_as_wanted:
        names = _(" and ").join(values)
        raise ConfigurationError(
            "{names} can't be set in {path} as it is written. Set it by hand.", names=names, path=path
        )
    return after


def _filled(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Tables without those that are empty, which say nothing."""
    results = {
        name: _filled(value) if isinstance(value, Mapping) else value for name, value in tables.items()
    }
    return {name: value for name, value in results.items() if value != {}}


def open_in_editor(run_editor: Callable[[Path], None]) -> Path:
    """Have the user edit the file, a template where there is none, which goes again if it was left as it
    was; return where it is. Raises ConfigurationError, and what `run_editor` raises."""
    place = Path(os.path.realpath(config_path()))
    is_new = read_text(place) is None
    try:
        if is_new:
            atomic.make_directories(place.parent)
            atomic.write(place, template().encode())
        try:
            run_editor(place)
        finally:
            if is_new and read_text(place) == template():
                place.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigurationError(
            "{place} can't be edited ({error}).", place=place, error=error.strerror or error
        ) from error
    return place


def key_problems(path: Path | None = None) -> tuple[Problem, ...]:
    """Return which keys of `[keys]` nothing has, or two have; nothing where there are none, or the file
    can't be read. The browser is asked, in a process of its own: it alone knows its keys."""
    place = path or config_path()
    settings, _ = browser_settings(place)
    return tuple(
        Problem(f"keys.{name}", line_of_key(f"keys.{name}", place), sentence)
        for name, sentence, _ in _wrong_keys(settings.keys)
    )


def check_key_name(key: str, value: Any) -> None:
    """Raise SettingError where a setting is of a key that the browser doesn't have."""
    table, _, name = key.partition(".")
    if table == "keys":
        for _, sentence, is_unknown in _wrong_keys({name: value}):
            if is_unknown:
                raise SettingError(sentence[:1].upper() + sentence[1:])


def _wrong_keys(keys: Mapping[str, Any]) -> list[tuple[str, str, bool]]:
    """Ask the browser what is wrong with `[keys]`: the name, a sentence, and whether no key has it."""
    if not keys:
        return []
    command = [sys.executable, "-P", "-m", "memtui.tui.key_problems"]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(dict(keys)).encode(),
            capture_output=True,
            timeout=PATIENCE_WITH_BROWSER,
            check=True,
        )
        return [(name, sentence, is_unknown) for name, sentence, is_unknown in json.loads(done.stdout)]
    except (OSError, ValueError, subprocess.SubprocessError):
        return []


def _refuse_worse(before: str, after: str, path: Path) -> None:
    """Raise SettingError where a setting is right by itself and wrong beside the others."""
    known = {(row.key, row.sentence) for row in problems_of(parse(before, path), before)}
    for problem in problems_of(parse(after, path), after):
        if (problem.key, problem.sentence) not in known:
            raise SettingError(problem.sentence)


def _put(tables: MutableMapping[str, Any], table: str, name: str, value: Any, toolkit: Any = None) -> None:
    """Set a value in tables, or unset it; with the toolkit in a document of its."""
    place = tables
    for part in table.split("."):
        if part not in place:
            if value is None:
                return
            is_inline = toolkit is not None and isinstance(place, toolkit.items.InlineTable)
            place[part] = (
                {} if toolkit is None else toolkit.inline_table() if is_inline else toolkit.table()
            )
        place = place[part]
    names = name.split(".")
    if name in place:
        names = [name]
    elif len(names) > 1 and names[0] not in place and toolkit is not None and value is not None:
        place.append(toolkit.key(names), value)  # type: ignore[attr-defined]
        return
    *above, last = names
    for part in above:
        if part not in place:
            if value is None:
                return
            place[part] = {} if toolkit is None else toolkit.inline_table()
        place = place[part]
    if value is None:
        place.pop(last, None)
    else:
        place[last] = value


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
        for setting in table.settings.values():
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

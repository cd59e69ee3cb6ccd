"""`mem config`: the user's configuration, listed, read, changed, edited and checked. `mem shell-init`: what
a shell reads at its start.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ...config.file import config_path, line_of, parse, read_text
from ...config.reading import Problem, inner, names_of, problems_of
from ...config.settings import SETTINGS, TABLES, Setting
from ...config.values import flattened
from ...database.transaction import ONLY_A_PERSON
from ...formats.markdown_editor import run_editor
from ...platform.errors import StoreError
from ...platform.translation import N_, _
from .. import shell_script
from ..command import Call, Command, group
from ..output.console import Row, localized, print_json, print_line, print_rows, tell
from ..output.serializers import Json
from ..typer_later import typer

if TYPE_CHECKING:
    from collections.abc import Iterator


app = group("Show and change your configuration, config.toml.")

KEY_HELP = N_("The setting's whole name, such as browser.theme or keys.search.pin.")


@app.command("list", cls=Command)
def list_settings(call: Call) -> None:
    """List every setting: its value, its default, and the line of the file that says so."""
    path = config_path()
    settings = list(_settings(path))
    if call.json:
        print_json(settings)
    else:
        print_rows(
            ("setting", "value", "default", "from"),
            (
                Row(
                    str(item["setting"]),
                    _shown(item["value"]),
                    _shown(item["default"]),
                    _from(item),
                )
                for item in settings
            ),
            wide="value",
            fold=True,
            first_out=("default",),
        )
    _tell_problems(path)


@app.command(cls=Command)
def get(call: Call, key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)]) -> None:
    """Print a setting's value, as the file or else the default has it."""
    _known(key)
    path = config_path()
    value = next((setting["value"] for setting in _settings(path) if setting["setting"] == key), None)
    if call.json:
        print_json(value)
    else:
        print_line(_shown(value))
    _tell_problems(path, key)


@app.command("set", cls=Command)
def set_value(
    call: Call,
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    value: Annotated[
        str,
        typer.Argument(metavar="VALUE", help="Its value: nord, true, 7, or as TOML writes it."),
    ],
) -> None:
    """Set a setting; comments and the rest of the file stay as they are."""
    _known(key)
    given = _read(key, value)
    _change(key, given)
    call.answer(
        {"setting": key, "value": given, "path": str(config_path())},
        "{key} is {shown} now, in {path}.",
        key=key,
        shown=_shown(given),
        path=config_path(),
    )
    _tell_keys(key)


@app.command(cls=Command)
def unset(call: Call, key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)]) -> None:
    """Take a setting out of the file, so that its default holds."""
    setting = _known(key)
    _change(key, None)
    document = {"setting": key, "value": setting.default, "path": str(config_path())}
    call.answer(document, "{key} is not set any more, in {path}.", key=key, path=config_path())


@app.command(cls=Command)
def edit(call: Call) -> None:  # noqa: ARG001
    """Open the file in $VISUAL or $EDITOR, and say what is wrong with what was written."""
    from ...maintain.configuration import open_in_editor

    path = open_in_editor(run_editor)
    if _tell_problems(path, keys=True):
        tell("`mem config edit` opens it again.")
        raise typer.Exit(1)


@app.command(cls=Command)
def check(call: Call) -> None:
    """Say what is wrong in the file, each with its line; exit code 1 where anything is."""
    problems = sorted((*_problems(config_path()), *_keys_amiss()), key=lambda problem: problem.line)
    if call.json:
        print_json([row._asdict() for row in problems])
    else:
        for entry in problems:
            print_line(str(entry))
        if not problems:
            tell("Nothing is wrong.")
    if problems:
        raise typer.Exit(1)


@app.command(cls=Command)
def path(call: Call) -> None:
    """Print where the file lies, whether it is there or not."""
    if call.json:
        print_json({"path": str(config_path()), "exists": config_path().exists()})
    else:
        print_line(str(config_path()))


def _settings(path: Path) -> Iterator[Json]:
    """Every setting, and those that are set of tables of the user's own names."""
    text = read_text(path) or ""
    tables = parse(text, path)
    wrong = {problem.key for problem in problems_of(tables, text)}
    for setting in SETTINGS:
        given = inner(tables, setting.table)
        if not isinstance(given, dict):
            given = {}
        if TABLES[setting.table].is_open:
            for name, value in flattened(given):
                key = f"{setting.table}.{name}"
                if key not in wrong:
                    yield _setting(setting, key, value, line_of(text, names_of(tables, key)))
        elif setting.name in given and setting.key not in wrong:
            value = setting.read(setting.key, given[setting.name])
            line = line_of(text, names_of(tables, setting.key))
            yield _setting(setting, setting.key, value, line)
        else:
            yield _setting(setting, setting.key, setting.default, 0)


def _setting(setting: Setting, key: str, value: Any, line: int) -> Json:
    return {
        "setting": key,
        "value": value,
        "default": setting.default,
        "line": line or None,
        "allowed": list(setting.allowed),
        "about": setting.sentence,
    }


def _from(item: Json) -> str:
    return _("line {line}", line=item["line"]) if item["line"] else localized("default")


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _known(key: str) -> Setting:
    from ...maintain.configuration import SettingError, known

    try:
        return known(key)
    except SettingError as error:
        raise typer.BadParameter(str(error)) from None


def _read(key: str, value: str) -> Any:
    """What was typed as a value: as it stands, or else as TOML."""
    import tomllib

    from ...maintain.configuration import SettingError, checked

    candidates: list[object] = [value]
    try:
        meant = tomllib.loads(f"x = {value}").get("x")
    except ValueError:
        meant = value
    if value[:1] in ("'", '"'):
        candidates = [meant]
    elif meant != value and not isinstance(meant, str):
        candidates.append(meant)
    for candidate in candidates:
        try:
            return checked(key, candidate)
        except SettingError as error:
            wrong = str(error)
    raise typer.BadParameter(wrong)


def _change(key: str, value: Any) -> None:
    from ...agents.shell import agent_shell
    from ...maintain.configuration import SettingError, change, check_key_name

    if key == "memory.review" and agent_shell(os.environ) is not None:
        raise StoreError(ONLY_A_PERSON)
    try:
        if value is not None:
            check_key_name(key, value)
        change({key: value})
    except SettingError as error:
        raise typer.BadParameter(str(error)) from None


def _problems(path: Path) -> tuple[Problem, ...]:
    text = read_text(path)
    return () if text is None else problems_of(parse(text, path), text)


def _tell_problems(path: Path, key: str = "", *, keys: bool = False) -> bool:
    """Tell what is wrong in the file, or with one setting; whether anything is."""
    problems = [problem for problem in _problems(path) if not key or problem.key == key]
    problems += _keys_amiss() if keys else ()
    for row in problems:
        tell(str(row))
    return bool(problems)


def _tell_keys(key: str) -> None:
    if key.startswith("keys."):
        for problem in _keys_amiss():
            tell(str(problem))


def _keys_amiss() -> tuple[Problem, ...]:
    from ...maintain.configuration import key_problems

    return key_problems()


@app.command("shell-init", cls=Command)
def shell_init(
    call: Call,  # noqa: ARG001 - every command is given it
    shell: Annotated[
        Literal["zsh", "bash", "fish"], typer.Argument(metavar="SHELL", help="zsh, bash or fish.")
    ],
) -> None:
    """Print what binds Ctrl+G to mem pick in a shell, and has Tab complete mem.

    In ~/.zshrc: eval "$(mem shell-init zsh)"; in ~/.bashrc the same with bash; in
    ~/.config/fish/config.fish: mem shell-init fish | source.
    """
    sys.stdout.write(shell_script(shell))

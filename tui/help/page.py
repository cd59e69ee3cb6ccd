"""The page of all keys, docs/keys.md: what bindings tell, of every screen, pane and dialog; and all modules
of the browser, which these are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from inspect import isclass
from pkgutil import walk_packages
from types import ModuleType

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import format_key

from memtui import tui

from ..actions import SHARED, group_of
from ..keys.bindings import bindings_of

HEAD = """\
# Keys

Every key of the browser, as its bindings have it; `make keys` makes this page of them. In the browser `?`
(or `F1`, also while you type) shows the keys of the screen in front, and `Ctrl+P` does by its name whatever
a key does. `[keys]` in `config.toml` changes a key by its id, everywhere (`"entry.pin" = "P"`) or on one
screen (`"search.pin" = "P"`); `mem config check` names those that clash.
"""
TABLE = "| key | name | does | id |\n|---|---|---|---|"
FIRST = ("Search", "Query line", "Facets")
DIALOGS = (
    *("Help", "Palette", "Why", "Choose", "Ask", "Confirm", "Question", "Save", "Supersede"),
    *("Form", "Field", "Conflict", "Prompt", "Export", "Jump"),
)
"""What opens over a screen; its keys come last, together."""
IN_DIALOGS = "In dialogs"
NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "backspace": "Backspace",
    "pageup": "PgUp",
    "pagedown": "PgDn",
}
"""What keys are called on a page; others as in the browser."""


def page() -> str:
    """Return the page as Markdown."""
    groups: dict[str, dict[str, Binding]] = {}
    for owner in owners():
        for binding in bindings_of(owner):
            id = binding.id or ""
            title = group_of(id)
            title = IN_DIALOGS if title in DIALOGS else title
            groups.setdefault(title, {}).setdefault(id, binding)
    sections = ("\n".join(_section(title, groups[title].values())) for title in _ordered(groups))
    return "\n\n".join((HEAD.strip(), *sections)) + "\n"


def owners() -> list[type[DOMNode]]:
    """Return every screen, widget and app of ours that has bindings, by module and name."""
    results = {
        value
        for module in modules()
        for value in vars(module).values()
        if isclass(value) and issubclass(value, DOMNode) and value.__module__.startswith("memtui.tui.")
    }
    return sorted(results, key=lambda item: (item.__module__, item.__qualname__))


def modules() -> Iterator[ModuleType]:
    """Import and yield all modules but programs, and those of an extra that isn't installed: they have no
    keys now."""
    for info in walk_packages(tui.__path__, "memtui.tui."):
        if not info.name.endswith(("__main__", "key_problems")):
            with suppress(ModuleNotFoundError):
                yield import_module(info.name)


def _ordered(groups: Iterable[str]) -> list[str]:
    """The shared groups behind those of screens, and dialogs behind all."""

    def place(title: str) -> tuple[int, int, str]:
        if title in FIRST:
            return 0, FIRST.index(title), title
        if title in SHARED:
            return 2, SHARED.index(title), title
        return (3 if title == IN_DIALOGS else 1), 0, title

    return sorted(groups, key=place)


def _section(title: str, bindings: Iterable[Binding]) -> Iterator[str]:
    yield f"## {title}\n"
    yield TABLE
    for binding in bindings:
        keys = " ".join(f"`{_shown(key)}`" for key in binding.key.split(",") if key)
        content = (
            keys or "none",
            _cell(binding.description),
            _cell(binding.tooltip),
            f"`{binding.id}`",
        )
        yield f"| {' | '.join(content)} |"


def _shown(key: str) -> str:
    *modifiers, last = key.strip().split("+")
    name = NAMES.get(last, format_key(last))
    name = name if len(name) == 1 and not modifiers else name[:1].upper() + name[1:]
    return "+".join((*(modifier.capitalize() for modifier in modifiers), name))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")

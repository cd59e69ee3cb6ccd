"""The user's keys, `[keys]` of `config.toml`, as Textual's keymap.

A name is the id of a binding (`entry.pin`), or a screen and what the id ends with (`search.pin`), which
changes the key on that screen alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from textual.binding import Binding
from textual.dom import DOMNode

Keys = Mapping[str, str]
Node = type[DOMNode]


def is_same(text: str, other: str) -> bool:
    """Whether two lists of keys are the same."""
    return {key.strip() for key in text.split(",")} == {key.strip() for key in other.split(",")}


def screen_name(screen: Node) -> str:
    """Return the name of a screen in front of the dot, ``search``; `` for what is no screen of ours."""
    return str(getattr(screen, "mode", "") or getattr(screen, "place", "")).lower()


def keymap(keys: Keys, screen: str, nodes: Iterable[Node]) -> dict[str, str]:
    """Return the keymap of a screen for Textual: ids of bindings, and their keys. `nodes` are the classes
    on it."""
    mine = list(dict.fromkeys(nodes))
    ids = {binding.id for node in mine for binding in bindings_of(node)}
    results = {name: given for name, given in keys.items() if not ids_on_screen(name, screen, ids)}
    for name, given in keys.items():
        results |= dict.fromkeys(ids_on_screen(name, screen, ids), given)
    # Textual takes a key from all of a widget's bindings when one of them gets another.
    while True:
        left = {
            str(other.id): other.key
            for node in mine
            for item in bindings_of(node)
            for other in bindings_of(node)
            if item.id in results and other.id not in results and set(keys_of(item)) & set(keys_of(other))
        }
        if not left:
            return results
        results |= left


def remapped(binding: Binding, keymap: Keys) -> Binding:
    """Return a binding with the key that it has by a keymap."""
    given = keymap.get(binding.id or "")
    if given is None or is_same(given, binding.key):
        return binding
    return binding.with_key(given)


def bindings_of(node: Node) -> Iterator[Binding]:
    """Return our bindings of a class and of those above it."""
    for each in node.__mro__:
        for binding in each.__dict__.get("BINDINGS", ()):
            # What has no id is Textual's own.
            if isinstance(binding, Binding) and binding.id:
                yield binding


def keys_of(binding: Binding) -> list[str]:
    """Return its keys by their names."""
    return [NAMES.get(key, key) for key in map(str.strip, binding.key.split(","))]


def ids_on_screen(name: str, screen: str, ids: Iterable[str | None]) -> list[str]:
    """The ids that a name stands for on a screen alone, where it is no id itself."""
    prefix, _, action = name.partition(".")
    if not screen or prefix != screen or name in ids:
        return []
    return [id for id in ids if id and id.partition(".")[2] == action]


NAMES = {
    "?": "question_mark", "/": "slash", "*": "asterisk", "+": "plus", "-": "minus", "=": "equals_sign",
    "[": "left_square_bracket", "]": "right_square_bracket", "<": "less_than_sign",
    ">": "greater_than_sign", ",": "comma",
}  # fmt: skip
"""The names of the signs that are keys of ours."""

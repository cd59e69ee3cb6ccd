"""What makes no sense in `[keys]` of `config.toml`: names that nothing has, and keys that two actions of a
screen share.

As a program it reads `[keys]` as JSON, and prints what is wrong: `mem` asks so, since it knows nothing of
the browser.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from memtui.store.config import did_you_mean
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from .help.page import modules
from .keys import bindings
from .keys.bindings import Keys, Node, bindings_of, ids_on_screen, keymap, keys_of, remapped, screen_name
from .parts.dialog import Dialog
from .screen import MemScreen

ENTRY = ("entry.", "mark.")
"""The ids of keys that work on rows only."""
SHARED_FOLDERS = ("parts", "lists")
"""Folders whose widgets any screen may have."""


class Wrong(NamedTuple):
    """A name of `[keys]`, what is wrong with it as a sentence, and whether no key has that name."""

    name: str
    sentence: str
    is_unknown: bool = False


def problems(keys: Keys) -> list[Wrong]:
    """Return what is wrong: names that nothing has, and keys that two actions of a screen share."""
    if not keys:
        return []
    screens, dialogs, ids = _catalogue()
    results = [
        Wrong(name, _unknown(name, screens, ids), True)
        for name in keys
        if name not in ids and not any(_names(name, place) for place in screens)
    ]
    shared: dict[tuple[str, frozenset[str]], tuple[str, list[str]]] = {}
    for screen in (*screens, *dialogs):
        for name, other, key in _clashes(keys, screen):
            _pair, places = shared.setdefault(
                (key, frozenset((name, other))),
                (_("{name} and {other}", name=name, other=other), []),
            )
            places.append(screen.place)
    for (key, names), (both, places) in shared.items():
        where = (
            places[0]
            if len(places) == 1
            else _(
                "{place} and {others}",
                place=places[0],
                others=count_noun(len(places) - 1, "others"),
            )
        )
        first = next(name for name in keys if name in names)
        results.append(
            Wrong(first, _("{keys} are both {key!r} on {where}.", keys=both, key=key, where=where))
        )
    return results


class Place(NamedTuple):
    """A screen with the classes of what can have the focus on it."""

    name: str
    place: str
    screen: Node
    widgets: Sequence[Node]
    app: Sequence[Binding]

    def nodes(self) -> Iterator[tuple[Node | None, list[Binding]]]:
        """The screen, its widgets and the app (None), with their bindings."""
        has_rows = getattr(self.screen, "has_rows", True)
        own = [
            binding
            for binding in bindings_of(self.screen)
            if has_rows or not str(binding.id).startswith(ENTRY)
        ]
        yield self.screen, own
        for widget in self.widgets:
            yield widget, list(bindings_of(widget))
        yield None, list(self.app)


def _catalogue() -> tuple[list[Place], list[Place], set[str]]:
    """All screens, all dialogs, and the ids of all bindings."""
    list(modules())
    ours = [item for item in _subclasses(DOMNode) if item.__module__.startswith("memtui.tui.")]
    of_app = [entry for entry in bindings.APP if isinstance(entry, Binding)]
    widgets = [
        node_type
        for node_type in ours
        if issubclass(node_type, Widget) and not issubclass(node_type, Screen)
    ]
    screens = [
        Place(
            screen_name(one),
            _(str(one.place)),
            one,
            [widget for widget in widgets if _folder(widget) in (_folder(one), *SHARED_FOLDERS)],
            of_app,
        )
        for one in ours
        if issubclass(one, MemScreen) and one.place
    ]
    before_all = [binding for binding in of_app if binding.priority]
    dialogs = [
        Place(
            "",
            _("the dialog {name}", name=one.__name__.removesuffix("Screen")),
            one,
            (),
            before_all,
        )
        for one in ours
        if issubclass(one, Dialog)
    ]
    ids = {str(one.id) for node in ours for one in bindings_of(node)} | {str(one.id) for one in of_app}
    return screens, dialogs, ids


def _clashes(keys: Keys, place: Place) -> Iterator[tuple[str, str, str]]:
    """Each name of `keys` that shares a key with another on a screen, that other, and the key."""
    own = keymap(keys, place.name, [node for node, _ in place.nodes() if node is not None])
    named = {
        id: name
        for name in keys
        for id in (name, *(ids_on_screen(name, place.name, own) if place.name else ()))
        if own.get(id) == keys[name]
    }
    nodes = list(place.nodes())
    clashes = set()
    for node, ones in nodes:
        for binding in ones:
            if binding.id not in named:
                continue
            for other_node, others in nodes:
                # Of two widgets only one has the focus.
                apart = {node, other_node} <= set(place.widgets) and node is not other_node
                if apart:
                    continue
                for other in others:
                    if other.id == binding.id or set(keys_of(binding)) & set(keys_of(other)):
                        continue
                    both = set(keys_of(remapped(binding, own))) & set(keys_of(remapped(other, own)))
                    pair = frozenset((str(binding.id), str(other.id)))
                    if both and pair not in clashes:
                        clashes.add(pair)
                        names = named[str(binding.id)], named.get(str(other.id), str(other.id))
                        yield *names, min(both)


def _names(name: str, place: Place) -> bool:
    ids = {str(binding.id) for _, ones in place.nodes() for binding in ones}
    return bool(ids_on_screen(name, place.name, ids))


def _unknown(name: str, screens: Sequence[Place], ids: Iterable[str]) -> str:
    known = set(ids)
    for place in screens:
        of_nodes = (str(binding.id) for _, ones in place.nodes() for binding in ones)
        known |= {f"{place.name}.{id.partition('.')[2]}" for id in of_nodes}
    action = f".{name.rpartition('.')[2]}"
    same = [id for id in sorted(ids) if id.endswith(action)]
    guess = did_you_mean(name, sorted(known)) or did_you_mean("".join(same[:1]), same)
    return _("no key is called {name}.{guess}", name=name, guess=guess)


def _subclasses(node: Node) -> list[Node]:
    subclasses: dict[Node, None] = {}
    rest = [node]
    while rest:
        for item in rest.pop().__subclasses__():
            if item not in subclasses:
                subclasses[item] = None
                rest.append(item)
    return sorted(subclasses, key=lambda entry: (entry.__module__, entry.__name__))


def _folder(node: Node) -> str:
    return node.__module__.split(".")[2]


if __name__ == "__main__":
    print(json.dumps(problems(json.load(sys.stdin))))

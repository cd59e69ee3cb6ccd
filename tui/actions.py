"""Every action that a key has: what the palette offers, and the help and docs/keys.md tell.

All of it is read from the bindings: of the screen, of the widgets on it, and of the app.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from textual.actions import parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.widget import Widget

from memtui.store.platform.translation import _

from .keys.bindings import bindings_of
from .keys.mem_commands import mem_command
from .protocol import browser
from .screen import WRITING, MemScreen
from .tabs import TABS

THIS_MEMORY, MANY, FIND = _("This memory"), _("Many at once"), _("Find inside")
THIS_LIST, THIS_TEXT, PANES = _("In a list"), _("In a text"), _("Panes")
GO_TO, MEMORY, APP, TRASH = _("Go to"), _("Memory"), _("App"), _("In the trash")
SHARED = (THIS_MEMORY, MANY, TRASH, FIND, MEMORY, GO_TO, PANES, APP, THIS_TEXT, THIS_LIST)
"""The groups that every screen has, in the order that they are told in, behind the screen's own."""

TITLES = {
    "entry": THIS_MEMORY,
    "mark": MANY,
    "trash": TRASH,
    "list": THIS_LIST,
    "text": THIS_TEXT,
    "find": FIND,
    "pane": PANES,
    "panes": PANES,
    "screen": PANES,
    "app": APP,
    "query": _("Query line"),
    "results": _("Search"),
    "nothing": _("Search"),
    "facets": _("Facets"),
    "figures": _("Statistics"),
    "changes": _("History"),
    "given": _("Contexts given"),
    "merge": _("Merge room"),
}
"""The groups, by what the ids of bindings begin with; others are told by the name of their screen."""
BY_ID = {
    "screen.new": MEMORY,
    "screen.back": GO_TO,
    "screen.go-to": GO_TO,
    "app.undo": MEMORY,
    "app.redo": MEMORY,
    "app.merge": MEMORY,
    "app.jump": PANES,
    "app.history": GO_TO,
    "app.trash": GO_TO,
    **{f"app.{tab.mode}": GO_TO for tab in TABS},
}
"""The groups of single bindings."""

DAILY = _("Every day")
"""The group of what is done most, which comes first: `DAILY_KEYS`, as far as a screen has them."""
DAILY_KEYS = (
    *("search.query", "results.open", "list.open", "screen.back", "entry.timeline"),
    *("entry.session", "entry.copy", "entry.edit", "entry.delete", "app.undo", "app.palette"),
)

READ_ONLY = _("this store can only be read")
NOT_NOW = _("not now")


@dataclass(frozen=True, slots=True)
class Action:
    """What a binding does: its `name`, a `sentence` on it, the `keys` as they are shown, the `node`
    that does it, and in `why_not` what stands in its way now, `` for nothing. `command` is the `mem`
    command that does the same, without `mem`, `` for none."""

    id: str
    name: str
    sentence: str
    group: str
    keys: tuple[str, ...]
    does: str
    node: DOMNode
    why_not: str = ""
    command: str = ""

    async def run(self) -> None:
        """Do it, with the focus in its widget; only while its screen is in front."""
        node = self.node
        if isinstance(node, Widget) and node.focusable and node not in _with_focus(node):
            node.focus()
        await node.app.run_action(self.does, node)


def group_of(id: str) -> str:
    """Return the title of the group that a binding is told in."""
    prefix = id.partition(".")[0]
    return BY_ID.get(id) or TITLES.get(prefix) or _(prefix.capitalize())


def actions_of(screen: MemScreen) -> list[Action]:
    """Return all actions of a screen, of what can have the focus on it and of the app, each once: as
    it works now where it does."""
    chain = screen.focused.ancestors_with_self if screen.focused is not None else [screen]
    nodes = dict.fromkeys((*(dom_node for dom_node in chain if dom_node is not screen.app), screen))
    nodes |= dict.fromkeys((*screen.focus_chain, screen.app))
    actions: dict[str, Action] = {}
    for node in nodes:
        keys = keys_of(node)
        for binding in bindings_of(type(node)):
            id = binding.id or ""
            if id in actions and not actions[id].why_not:
                continue
            action = _action(screen, node, binding, keys.get(id, ()))
            if _is_of(screen, action) and (id not in actions or not action.why_not):
                actions[id] = action
    return sorted(_together(actions.values()), key=lambda item: rank(item.group))


def _together(actions: Iterable[Action]) -> Iterable[Action]:
    """Return them, those that do the same as one with the keys of all."""
    results: dict[tuple[str, DOMNode], Action] = {}
    for action in actions:
        same = results.get((action.does, action.node))
        results[action.does, action.node] = replace(same, keys=same.keys + action.keys) if same else action
    return results.values()


def rank(group: str) -> int:
    """Return the place of a group: what only this screen has comes first."""
    return SHARED.index(group) + 1 if group in SHARED else 0


def keys_of(node: DOMNode) -> Mapping[str, tuple[str, ...]]:
    """Return the keys of a node's bindings by their ids, as they are shown, and as the keymap has them."""
    # Textual has no public way to ask which keys are left to a node's bindings.
    bindings = node._bindings.copy()
    bindings.apply_keymap(dict(browser(node).keymap))
    keys: dict[str, list[str]] = {}
    for _key, binding in bindings:
        # Its own key, also where the footer tells it together with another.
        shown = node.app.get_key_display(binding.with_key(binding.key))
        known = keys.setdefault(binding.id or "", [])
        if shown not in known:
            known.append(shown)
    return {id: tuple(each) for id, each in keys.items()}


def _action(screen: MemScreen, node: DOMNode, binding: Binding, keys: Iterable[str]) -> Action:
    id = binding.id or ""
    return Action(
        id=id,
        name=binding.description,
        sentence=binding.tooltip,
        group=group_of(id),
        keys=tuple(keys),
        does=binding.action,
        node=node,
        why_not=_why_not(screen, node, binding),
        command=mem_command(id, screen.command_values),
    )


def _is_of(screen: MemScreen, action: Action) -> bool:
    """Whether a screen can ever have any use for an action over this memory."""
    if (mode := action.id.removeprefix("app.")) in {tab.mode for tab in TABS}:
        return screen.browser.has_mode(mode)
    if action.does == "versions":
        return screen.has_rows or screen.named is not None
    if action.does in ("read_raw", "unfold"):
        return screen.has_texts
    if action.id.startswith(("entry.", "mark.")):
        return screen.has_rows or (bool(action.keys) and not action.why_not)
    return True


def _why_not(screen: MemScreen, node: DOMNode, binding: Binding) -> str:
    """What stands in the way of an action now, `` for nothing."""
    if parse(binding.action)[1] in WRITING and screen.browser.read_only:
        return READ_ONLY
    # Textual has no public way to ask it.
    if screen.app._check_action_state(binding.action, node):
        return ""
    if (binding.id or "").startswith("entry.") and screen.row is None and not screen.marks:
        return _("nothing is selected")
    return NOT_NOW


def _with_focus(node: Widget) -> list[DOMNode]:
    focused = node.screen.focused
    return list(focused.ancestors_with_self) if focused is not None else []

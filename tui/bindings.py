"""The keys that every screen shares. Each has an id to remap it by, and a tooltip for the help."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def key(
    keys: str,
    action: str,
    description: str,
    tooltip: str,
    id: str,
    *,
    show: bool = True,
    display: str | None = None,
    priority: bool = False,
) -> Binding:
    """Return a binding; `keys` are separated by commas, `show` puts the first of them in the footer."""
    return Binding(
        keys,
        action,
        description,
        show=show,
        key_display=display,
        priority=priority,
        tooltip=tooltip,
        id=id,
    )


APP: list[BindingType] = [
    key("1", "go('search')", "Search", "Find memories by words and filters", "app.search"),
    key("2", "go('timeline')", "Timeline", "What happened around the selection", "app.timeline"),
    key("3", "go('sessions')", "Sessions", "The agents' working sessions", "app.sessions"),
    key("4", "go('facts')", "Facts", "What is held true, and core memory", "app.facts"),
    key("5", "go('agents')", "Agents", "Hook agents up; how capture is doing", "app.agents"),
    key("6", "go('queue')", "Queue", "What waits for an observer, and what failed", "app.queue"),
    key("7", "go('composer')", "Composer", "What a session is told, chosen", "app.composer"),
    key("u", "undo", "Undo", "Take the last pin, hide or delete back", "app.undo", show=False),
    key(
        "question_mark,f1",
        "help",
        "Help",
        "All keys of this screen; while you type only F1",
        "app.help",
    ),
    key("ctrl+p", "command_palette", "Palette", "Everything by its name", "app.palette"),
    key("q,ctrl+q", "quit", "Quit", "Leave memtui", "app.quit", show=False),
]

SCREEN: list[BindingType] = [
    key("escape", "back", "Back", "To where you were before", "screen.back"),
    key("tab", "app.focus_next", "Next pane", "To the next pane", "screen.next", show=False),
    key(
        "shift+tab",
        "app.focus_previous",
        "Pane before",
        "To the pane before",
        "screen.previous",
        show=False,
    ),
]

ENTRY: list[BindingType] = [
    key("t", "timeline", "Timeline", "What happened around it", "entry.timeline"),
    key("o", "session", "Session", "The session it belongs to", "entry.session"),
    key("y", "copy", "Copy", "Its text to the clipboard", "entry.copy"),
    key(
        "p",
        "pin",
        "Pin",
        "Pin or unpin: the pinned are offered first to a new session",
        "entry.pin",
    ),
    key(
        "x",
        "hide",
        "Hide",
        "Hide as private: is:private lists the hidden, where x shows one again",
        "entry.hide",
    ),
    key("d", "delete", "Delete", "Delete or restore; u undoes", "entry.delete"),
]
"""What can be done with the selected entry, wherever it is selected."""

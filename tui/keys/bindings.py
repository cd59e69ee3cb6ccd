"""The keys that every screen shares, each with an id to remap it by, and a tooltip for the help; and the
user's keys, `[keys]` of `config.toml`, as Textual's keymap.

A name there is the id of a binding (`entry.pin`), or a screen and what the id ends with (`search.pin`),
which changes the key on that screen alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from textual.binding import Binding, BindingType
from textual.dom import DOMNode

from memtui.store.platform.translation import _

from ..tabs import TABS


def key(
    keys: str,
    action: str,
    description: str,
    tooltip: str,
    id: str,
    *,
    show: bool = True,
    display: str | None = None,
    footer: str | None = None,
    priority: bool = False,
) -> Binding:
    """Return a binding; `keys` are separated by commas, `show` puts the first of them in the footer, as
    `display` and with `footer` for its description where these are given. Its texts are translated."""
    return Binding(
        keys,
        action,
        _(description),
        show=show,
        key_display=display,
        priority=priority,
        tooltip=_(tooltip),
        id=id,
        group=Binding.Group(_(footer)) if footer else None,
    )


hidden = partial(key, show=False)
"""Returns a binding that the footer doesn't show, but the help does."""


APP: list[BindingType] = [
    # With Alt also where the bare key is typed.
    *(
        key(
            f"{tab.key},alt+{tab.key}",
            f"go('{tab.mode}')",
            tab.name,
            tab.tooltip,
            f"app.{tab.mode}",
        )
        for tab in TABS
    ),
    hidden("u", "undo", "Undo", "Take the last change back, whatever it was", "app.undo"),
    hidden("ctrl+r", "redo", "Redo", "Redo the last change you undid", "app.redo"),
    hidden("H", "changes", "Show history", "All that was changed, the newest first", "app.history"),
    key(
        "question_mark,f1",
        "help",
        "Show help",
        "All keys of this screen (F1 while you type)",
        "app.help",
        footer="Help",
    ),
    key(
        "ctrl+p",
        "command_palette",
        "Open palette",
        "Everything that can be done, by its name",
        "app.palette",
        footer="Palette",
    ),
    # Before the focus, so also in dialogs and wherever one types.
    hidden(
        "ctrl+o",
        "jump",
        "Jump to pane",
        "Put a letter on every pane and field; the letter leads there",
        "app.jump",
        priority=True,
    ),
    hidden(
        "m",
        "merge",
        "Merge",
        "Merge the marked memories; if none are marked, show what is similar to this one",
        "app.merge",
    ),
    hidden(
        "I",
        "review",
        "Review",
        "What agents, models and teammates wrote and waits for your word, to accept or refuse it",
        "app.review",
    ),
    hidden("D", "trash", "Open trash", "What is deleted; r brings it back", "app.trash"),
    hidden(
        "comma",
        "edit_settings",
        "Edit settings",
        "config.toml in your $VISUAL or $EDITOR: theme, density, keys …",
        "app.settings",
    ),
    hidden("q", "quit", "Quit", "Leave memtui", "app.quit"),
    # Before the focus, so also in dialogs and wherever one types.
    key("ctrl+q", "quit", "Quit", "Leave memtui, from anywhere", "app.quit-now", priority=True),
]

UNMARK = key(
    # Before the focus: Esc clears the marks first, and goes back then.
    "escape",
    "unmark",
    "Unmark",
    "Unmark all",
    "mark.none",
    priority=True,
)

STOP = key(
    # Before the marks of what is being changed, and before the focus.
    "escape",
    "stop_work",
    "Stop",
    "Stop what is being done to many, and take it back",
    "mark.stop",
    priority=True,
)

ZOOM = key("z", "zoom", "Zoom", "Only this pane, as large as the screen", "screen.zoom")
UNZOOM = key(
    "escape,z",
    "unzoom",
    "Unzoom",
    "Zoomed: show the other panes again",
    "screen.unzoom",
    display="esc z",
    priority=True,
)

SCREEN: list[BindingType] = [
    STOP,
    UNMARK,
    UNZOOM,
    key("escape", "back", "Go back", "To where you were before", "screen.back", footer="Back"),
    hidden(
        "g",
        "go_to",
        "Go to",
        "Go to an id (276, p12, @4), a file, a commit, a date; pressed twice, to the beginning",
        "screen.go-to",
    ),
    hidden("tab", "app.focus_next", "Next pane", "To the next pane", "screen.next"),
    hidden("shift+tab", "app.focus_previous", "Pane before", "To the pane before", "screen.previous"),
    hidden(
        "C,alt+c",
        "copy_command",
        "Copy command",
        "Copy the mem command that tells what is shown here, with its query or id",
        "screen.command",
    ),
    hidden(
        "B",
        "density",
        "Change density",
        "Show one line per row, or a second line of details where there is one",
        "screen.density",
    ),
    hidden("n", "new", "New", "Add a memory; on Facts a fact or a note", "screen.new"),
]

FIND: list[BindingType] = [
    key(
        "slash",
        "screen.find",
        "Find",
        "In a list, show only rows with these words; in a text, find the words",
        "find.start",
    ),
    key(
        "n",
        "screen.find_next(1)",
        "Next",
        "Go to the next match, and from the last to the first",
        "find.next",
    ),
    key("N", "screen.find_next(-1)", "Previous", "Go to the match before", "find.previous"),
    key(
        "escape,backspace",
        "screen.drop_find",
        "Find off",
        "End the find, and show all again",
        "find.off",
    ),
]
"""Of lists and texts, whose keys come before those of their screen."""

RESUME = hidden(
    "R",
    "resume_session",
    "Resume",
    "Go on with its session in the agent, where it ran; asks first",
    "entry.resume",
)

CONTINUE = hidden(
    "A",
    "continue_elsewhere",
    "Go on in …",
    "Go on with its session in another agent: with a brief, or whole where that imports it",
    "entry.continue",
)

SHARE_SESSION = hidden(
    "S",
    "share_session",
    "Share this session",
    "Write it as Markdown or HTML for others: private memories stay, secrets are redacted",
    "entry.share-session",
)

OPEN_FILES = hidden(
    "O",
    "open",
    "Open files",
    "Its files in your $VISUAL or $EDITOR, at the line where one is known; its addresses",
    "entry.open",
)

ENTRY: list[BindingType] = [
    key(
        "t",
        "timeline",
        "Show timeline",
        "What happened around it",
        "entry.timeline",
        footer="Timeline",
    ),
    key(
        "o",
        "session",
        "Open session",
        "The session it belongs to",
        "entry.session",
        footer="Session",
    ),
    hidden(
        "L",
        "similar",
        "Find more like this",
        "Similar memories, by their rarest words and by meaning",
        "entry.similar",
    ),
    key("y", "copy", "Copy", "Copy its text to the clipboard", "entry.copy"),
    hidden(
        "Y",
        "copy_as",
        "Copy …",
        "Copy its Markdown, id, files, session or commands to the clipboard",
        "entry.copy-as",
    ),
    OPEN_FILES,
    hidden(
        "b",
        "blame",
        "Who wrote it",
        "Which session wrote each line of its file, what was asked and decided there",
        "entry.blame",
    ),
    RESUME,
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
        "Hide as private, or show again; is:private lists the hidden",
        "entry.hide",
    ),
    key("e", "edit", "Edit", "Correct it in a form", "entry.edit"),
    hidden(
        "E",
        "edit_text",
        "Edit in $EDITOR",
        "Correct it as Markdown in your $VISUAL or $EDITOR",
        "entry.edit-text",
    ),
    key("d", "delete", "Delete", "Delete or restore; u undoes", "entry.delete"),
    hidden("T", "tag", "Tag", "Add tags, or remove some", "entry.tag"),
    hidden(
        "M",
        "move_to_project",
        "Move to project",
        "Move it to another project",
        "entry.project",
        footer="Move",
    ),
    hidden(
        "U",
        "confirm",
        "Still true",
        "Say that it is still true though its files have changed: is:stale lists those",
        "entry.confirm",
    ),
    hidden("X", "export", "Export", "Write into a file: Markdown, JSON lines …", "entry.export"),
    hidden(
        "W",
        "share",
        "Share with the team",
        "Choose who in the team may read it, or all marked ones",
        "entry.share",
        footer="Share",
    ),
    key("space", "mark", "Mark", "Mark or unmark, and to the next row", "mark.one"),
    hidden(
        "V",
        "mark_range",
        "Mark range",
        "Mark all from the row marked last to this one",
        "mark.range",
    ),
    hidden(
        "asterisk",
        "mark_all",
        "Mark all",
        "Mark all that the list shows; above 100 it asks",
        "mark.all",
    ),
    hidden(
        "h",
        "versions",
        "Show versions",
        "Earlier versions, with who changed them and when; any can be restored",
        "entry.versions",
    ),
]
"""What can be done with the selected entry, or with all marked ones, wherever they are."""

FOLLOW = hidden(
    "F",
    "follow",
    "Follow",
    "Keep the newest in view and selected as it arrives, until you move away",
    "list.follow",
)
"""On screens that list the newest."""

TEXTS: list[BindingType] = [
    hidden(
        "v",
        "read_raw",
        "Read as stored",
        "Read texts as they are stored, or rendered again",
        "text.raw",
    ),
    hidden("plus", "unfold", "Unfold", "Show long code whole, or folded again", "text.unfold"),
]
"""How texts are read, on every screen that shows one."""

PANES: list[BindingType] = [
    ZOOM,
    hidden(
        "alt+left",
        "resize_panes(-1)",
        "Narrower",
        "The left pane narrower; the mouse drags the border too",
        "panes.narrower",
    ),
    hidden("alt+right", "resize_panes(1)", "Wider", "The left pane wider", "panes.wider"),
    hidden("alt+up", "stack_panes(-1)", "Higher", "The lower pane higher", "panes.higher"),
    hidden("alt+down", "stack_panes(1)", "Lower", "The lower pane lower", "panes.lower"),
    hidden(
        "alt+home",
        "reset_panes",
        "Usual sizes",
        "All panes as large as they were at first",
        "panes.reset",
    ),
]
"""The sizes of panes, on every screen that has more than one."""


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

"""The keys that every screen shares. Each has an id to remap it by, and a tooltip for the help."""

from __future__ import annotations

from textual.binding import Binding, BindingType

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
    `display` and with `footer` for its description where these are given."""
    return Binding(
        keys,
        action,
        description,
        show=show,
        key_display=display,
        priority=priority,
        tooltip=tooltip,
        id=id,
        group=Binding.Group(footer) if footer else None,
    )


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
    key("u", "undo", "Undo", "Take the last change back, whatever it was", "app.undo", show=False),
    key("ctrl+r", "redo", "Redo", "Redo the last change you undid", "app.redo", show=False),
    key(
        "H",
        "changes",
        "Show history",
        "All that was changed, the newest first",
        "app.history",
        show=False,
    ),
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
    key(
        "ctrl+o",
        "jump",
        "Jump to pane",
        "Put a letter on every pane and field; the letter leads there",
        "app.jump",
        show=False,
        priority=True,
    ),
    key(
        "m",
        "merge",
        "Merge",
        "Merge the marked memories; if none are marked, show what is like this one",
        "app.merge",
        show=False,
    ),
    key(
        "I",
        "review",
        "Review",
        "The facts and decisions of teammates that wait for your word",
        "app.review",
        show=False,
    ),
    key("D", "trash", "Open trash", "What is deleted; r brings it back", "app.trash", show=False),
    key(
        "comma",
        "edit_settings",
        "Edit settings",
        "config.toml in your $VISUAL or $EDITOR: theme, density, keys …",
        "app.settings",
        show=False,
    ),
    key("q", "quit", "Quit", "Leave memtui", "app.quit", show=False),
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
    key(
        "g",
        "go_to",
        "Go to",
        "Go to an id (276, p12, @4), a file, a commit, a date; pressed twice, to the beginning",
        "screen.go-to",
        show=False,
    ),
    key("tab", "app.focus_next", "Next pane", "To the next pane", "screen.next", show=False),
    key(
        "shift+tab",
        "app.focus_previous",
        "Pane before",
        "To the pane before",
        "screen.previous",
        show=False,
    ),
    key(
        "C,alt+c",
        "copy_command",
        "Copy command",
        "Copy the mem command that tells what is shown here, with its query or id",
        "screen.command",
        show=False,
    ),
    key(
        "B",
        "density",
        "Change density",
        "Show one line per row, or a second line of details where there is one",
        "screen.density",
        show=False,
    ),
    key(
        "n",
        "new",
        "New",
        "Add a memory; on Facts a fact or a note",
        "screen.new",
        show=False,
    ),
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

RESUME = key(
    "R",
    "resume_session",
    "Resume",
    "Go on with its session in the agent, where it ran; asks first",
    "entry.resume",
    show=False,
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
    key(
        "L",
        "similar",
        "Find more like this",
        "What is like it, by meaning where vectors are kept, else by words",
        "entry.similar",
        show=False,
    ),
    key("y", "copy", "Copy", "Copy its text to the clipboard", "entry.copy"),
    key(
        "Y",
        "copy_as",
        "Copy …",
        "Copy its Markdown, id, files, session or commands to the clipboard",
        "entry.copy-as",
        show=False,
    ),
    key(
        "O",
        "open",
        "Open files",
        "Its files in your $VISUAL or $EDITOR, at the line where one is known; its addresses",
        "entry.open",
        show=False,
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
    key(
        "E",
        "edit_text",
        "Edit in $EDITOR",
        "Correct it as Markdown in your $VISUAL or $EDITOR",
        "entry.edit-text",
        show=False,
    ),
    key("d", "delete", "Delete", "Delete or restore; u undoes", "entry.delete"),
    key("T", "tag", "Tag", "Add tags, or remove some", "entry.tag", show=False),
    key(
        "M",
        "move_to_project",
        "Move to project",
        "Move it to another project",
        "entry.project",
        show=False,
        footer="Move",
    ),
    key(
        "X",
        "export",
        "Export",
        "Write into a file: Markdown, JSON lines …",
        "entry.export",
        show=False,
    ),
    key(
        "W",
        "share",
        "Share with the team",
        "Choose who in the team may read it, or all marked ones",
        "entry.share",
        show=False,
        footer="Share",
    ),
    key("space", "mark", "Mark", "Mark or unmark, and to the next row", "mark.one"),
    key(
        "V",
        "mark_range",
        "Mark range",
        "Mark all from the row marked last to this one",
        "mark.range",
        show=False,
    ),
    key(
        "asterisk",
        "mark_all",
        "Mark all",
        "Mark all that the list shows; above 100 it asks",
        "mark.all",
        show=False,
    ),
    key(
        "h",
        "versions",
        "Show versions",
        "Earlier versions, with who changed them and when; any can be restored",
        "entry.versions",
        show=False,
    ),
]
"""What can be done with the selected entry, or with all marked ones, wherever they are."""

FOLLOW = key(
    "F",
    "follow",
    "Follow",
    "Keep the newest in view and selected as it arrives, until you move away",
    "list.follow",
    show=False,
)
"""On screens that list the newest."""

TEXTS: list[BindingType] = [
    key(
        "v",
        "read_raw",
        "Read as stored",
        "Read texts as they are stored, or rendered again",
        "text.raw",
        show=False,
    ),
    key(
        "plus",
        "unfold",
        "Unfold",
        "Show long code whole, or folded again",
        "text.unfold",
        show=False,
    ),
]
"""How texts are read, on every screen that shows one."""

PANES: list[BindingType] = [
    ZOOM,
    key(
        "alt+left",
        "resize_panes(-1)",
        "Narrower",
        "The left pane narrower; the mouse drags the border too",
        "panes.narrower",
        show=False,
    ),
    key(
        "alt+right",
        "resize_panes(1)",
        "Wider",
        "The left pane wider",
        "panes.wider",
        show=False,
    ),
    key(
        "alt+up",
        "stack_panes(-1)",
        "Higher",
        "The lower pane higher",
        "panes.higher",
        show=False,
    ),
    key(
        "alt+down",
        "stack_panes(1)",
        "Lower",
        "The lower pane lower",
        "panes.lower",
        show=False,
    ),
    key(
        "alt+home",
        "reset_panes",
        "Usual sizes",
        "All panes as large as they were at first",
        "panes.reset",
        show=False,
    ),
]
"""The sizes of panes, on every screen that has more than one."""

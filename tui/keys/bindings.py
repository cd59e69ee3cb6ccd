"""The keys that every screen shares. Each has an id to remap it by, and a tooltip for the help."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from memtui.store.translation import _

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
    key(
        "u",
        "undo",
        _("Undo"),
        _("Take the last change back, whatever it was"),
        "app.undo",
        show=False,
    ),
    key("ctrl+r", "redo", _("Redo"), _("Redo the last change you undid"), "app.redo", show=False),
    key(
        "H",
        "changes",
        _("Show history"),
        _("All that was changed, the newest first"),
        "app.history",
        show=False,
    ),
    key(
        "question_mark,f1",
        "help",
        _("Show help"),
        _("All keys of this screen (F1 while you type)"),
        "app.help",
        footer=_("Help"),
    ),
    key(
        "ctrl+p",
        "command_palette",
        _("Open palette"),
        _("Everything that can be done, by its name"),
        "app.palette",
        footer=_("Palette"),
    ),
    # Before the focus, so also in dialogs and wherever one types.
    key(
        "ctrl+o",
        "jump",
        _("Jump to pane"),
        _("Put a letter on every pane and field; the letter leads there"),
        "app.jump",
        show=False,
        priority=True,
    ),
    key(
        "m",
        "merge",
        _("Merge"),
        _("Merge the marked memories; if none are marked, show what is like this one"),
        "app.merge",
        show=False,
    ),
    key(
        "I",
        "review",
        _("Review"),
        _("The facts and decisions of teammates that wait for your word"),
        "app.review",
        show=False,
    ),
    key(
        "D",
        "trash",
        _("Open trash"),
        _("What is deleted; r brings it back"),
        "app.trash",
        show=False,
    ),
    key(
        "comma",
        "edit_settings",
        _("Edit settings"),
        _("config.toml in your $VISUAL or $EDITOR: theme, density, keys …"),
        "app.settings",
        show=False,
    ),
    key("q", "quit", _("Quit"), _("Leave memtui"), "app.quit", show=False),
    # Before the focus, so also in dialogs and wherever one types.
    key(
        "ctrl+q", "quit", _("Quit"), _("Leave memtui, from anywhere"), "app.quit-now", priority=True
    ),
]

UNMARK = key(
    # Before the focus: Esc clears the marks first, and goes back then.
    "escape",
    "unmark",
    _("Unmark"),
    _("Unmark all"),
    "mark.none",
    priority=True,
)

STOP = key(
    # Before the marks of what is being changed, and before the focus.
    "escape",
    "stop_work",
    _("Stop"),
    _("Stop what is being done to many, and take it back"),
    "mark.stop",
    priority=True,
)

ZOOM = key("z", "zoom", _("Zoom"), _("Only this pane, as large as the screen"), "screen.zoom")
UNZOOM = key(
    "escape,z",
    "unzoom",
    _("Unzoom"),
    _("Zoomed: show the other panes again"),
    "screen.unzoom",
    display="esc z",
    priority=True,
)

SCREEN: list[BindingType] = [
    STOP,
    UNMARK,
    UNZOOM,
    key(
        "escape",
        "back",
        _("Go back"),
        _("To where you were before"),
        "screen.back",
        footer=_("Back"),
    ),
    key(
        "g",
        "go_to",
        _("Go to"),
        _("Go to an id (276, p12, @4), a file, a commit, a date; pressed twice, to the beginning"),
        "screen.go-to",
        show=False,
    ),
    key("tab", "app.focus_next", _("Next pane"), _("To the next pane"), "screen.next", show=False),
    key(
        "shift+tab",
        "app.focus_previous",
        _("Pane before"),
        _("To the pane before"),
        "screen.previous",
        show=False,
    ),
    key(
        "C,alt+c",
        "copy_command",
        _("Copy command"),
        _("Copy the mem command that tells what is shown here, with its query or id"),
        "screen.command",
        show=False,
    ),
    key(
        "B",
        "density",
        _("Change density"),
        _("Show one line per row, or a second line of details where there is one"),
        "screen.density",
        show=False,
    ),
    key(
        "n",
        "new",
        _("New"),
        _("Add a memory; on Facts a fact or a note"),
        "screen.new",
        show=False,
    ),
]

FIND: list[BindingType] = [
    key(
        "slash",
        "screen.find",
        _("Find"),
        _("In a list, show only rows with these words; in a text, find the words"),
        "find.start",
    ),
    key(
        "n",
        "screen.find_next(1)",
        _("Next"),
        _("Go to the next match, and from the last to the first"),
        "find.next",
    ),
    key("N", "screen.find_next(-1)", _("Previous"), _("Go to the match before"), "find.previous"),
    key(
        "escape,backspace",
        "screen.drop_find",
        _("Find off"),
        _("End the find, and show all again"),
        "find.off",
    ),
]
"""Of lists and texts, whose keys come before those of their screen."""

RESUME = key(
    "R",
    "resume_session",
    _("Resume"),
    _("Go on with its session in the agent, where it ran; asks first"),
    "entry.resume",
    show=False,
)

ENTRY: list[BindingType] = [
    key(
        "t",
        "timeline",
        _("Show timeline"),
        _("What happened around it"),
        "entry.timeline",
        footer=_("Timeline"),
    ),
    key(
        "o",
        "session",
        _("Open session"),
        _("The session it belongs to"),
        "entry.session",
        footer=_("Session"),
    ),
    key(
        "L",
        "similar",
        _("Find more like this"),
        _("What is like it, by meaning where vectors are kept, else by words"),
        "entry.similar",
        show=False,
    ),
    key("y", "copy", _("Copy"), _("Copy its text to the clipboard"), "entry.copy"),
    key(
        "Y",
        "copy_as",
        _("Copy …"),
        _("Copy its Markdown, id, files, session or commands to the clipboard"),
        "entry.copy-as",
        show=False,
    ),
    key(
        "O",
        "open",
        _("Open files"),
        _("Its files in your $VISUAL or $EDITOR, at the line where one is known; its addresses"),
        "entry.open",
        show=False,
    ),
    RESUME,
    key(
        "p",
        "pin",
        _("Pin"),
        _("Pin or unpin: the pinned are offered first to a new session"),
        "entry.pin",
    ),
    key(
        "x",
        "hide",
        _("Hide"),
        _("Hide as private, or show again; is:private lists the hidden"),
        "entry.hide",
    ),
    key("e", "edit", _("Edit"), _("Correct it in a form"), "entry.edit"),
    key(
        "E",
        "edit_text",
        _("Edit in $EDITOR"),
        _("Correct it as Markdown in your $VISUAL or $EDITOR"),
        "entry.edit-text",
        show=False,
    ),
    key("d", "delete", _("Delete"), _("Delete or restore; u undoes"), "entry.delete"),
    key("T", "tag", _("Tag"), _("Add tags, or remove some"), "entry.tag", show=False),
    key(
        "M",
        "move_to_project",
        _("Move to project"),
        _("Move it to another project"),
        "entry.project",
        show=False,
        footer=_("Move"),
    ),
    key(
        "X",
        "export",
        _("Export"),
        _("Write into a file: Markdown, JSON lines …"),
        "entry.export",
        show=False,
    ),
    key(
        "W",
        "share",
        _("Share with the team"),
        _("Choose who in the team may read it, or all marked ones"),
        "entry.share",
        show=False,
        footer=_("Share"),
    ),
    key("space", "mark", _("Mark"), _("Mark or unmark, and to the next row"), "mark.one"),
    key(
        "V",
        "mark_range",
        _("Mark range"),
        _("Mark all from the row marked last to this one"),
        "mark.range",
        show=False,
    ),
    key(
        "asterisk",
        "mark_all",
        _("Mark all"),
        _("Mark all that the list shows; above 100 it asks"),
        "mark.all",
        show=False,
    ),
    key(
        "h",
        "versions",
        _("Show versions"),
        _("Earlier versions, with who changed them and when; any can be restored"),
        "entry.versions",
        show=False,
    ),
]
"""What can be done with the selected entry, or with all marked ones, wherever they are."""

FOLLOW = key(
    "F",
    "follow",
    _("Follow"),
    _("Keep the newest in view and selected as it arrives, until you move away"),
    "list.follow",
    show=False,
)
"""On screens that list the newest."""

TEXTS: list[BindingType] = [
    key(
        "v",
        "read_raw",
        _("Read as stored"),
        _("Read texts as they are stored, or rendered again"),
        "text.raw",
        show=False,
    ),
    key(
        "plus",
        "unfold",
        _("Unfold"),
        _("Show long code whole, or folded again"),
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
        _("Narrower"),
        _("The left pane narrower; the mouse drags the border too"),
        "panes.narrower",
        show=False,
    ),
    key(
        "alt+right",
        "resize_panes(1)",
        _("Wider"),
        _("The left pane wider"),
        "panes.wider",
        show=False,
    ),
    key(
        "alt+up",
        "stack_panes(-1)",
        _("Higher"),
        _("The lower pane higher"),
        "panes.higher",
        show=False,
    ),
    key(
        "alt+down",
        "stack_panes(1)",
        _("Lower"),
        _("The lower pane lower"),
        "panes.lower",
        show=False,
    ),
    key(
        "alt+home",
        "reset_panes",
        _("Usual sizes"),
        _("All panes as large as they were at first"),
        "panes.reset",
        show=False,
    ),
]
"""The sizes of panes, on every screen that has more than one."""

"""The keys of the picker: those of the search that change nothing, and those that pick."""

from __future__ import annotations

from textual.binding import BindingType

from memtui.store.translation import _

from ..keys.bindings import ENTRY, SCREEN, TEXTS, key
from ..search.keys import EXACT

PICK, CANCEL, RESULTS, LATER = "picker.pick", "picker.cancel", "picker.results", "picker.later"
TOLD = _("Print it, or all marked ones, and leave")

PICK_KEY = key("enter", "screen.pick", _("Pick"), TOLD, PICK, display="⏎")

APP: list[BindingType] = [
    key(
        "question_mark,f1",
        "help",
        _("Help"),
        _("All keys of the picker (F1 while you type)"),
        "app.help",
    ),
    # Before the focus, so also in the help.
    key(
        "ctrl+c,ctrl+q",
        "cancel",
        _("Leave"),
        _("Leave without picking, from anywhere"),
        "picker.leave",
        show=False,
        priority=True,
    ),
]

QUERY: list[BindingType] = [
    key("enter", "take_offer(True)", _("Take value"), _("Take the value that ↑ and ↓ moved to"),
        "query.take_stepped", show=False),
    PICK_KEY,
    key("down", "step_offer(1)", _("Next offer"), _("To the value below"), "query.next_offer", show=False),
    key("down", "walk(-1)", _("Later"), _("Forward again, to what was typed"), LATER, show=False),
    key("down", "screen.to_results", _("Results"), _("To the next memory; Space marks there"), RESULTS,
        display="↓"),
    key("escape", "close_offers", _("Close"), _("Close the offers"), "query.close"),
    key("escape", "screen.cancel", _("Cancel"), _("Leave without picking"), CANCEL),
]  # fmt: skip
"""Of the query line; `↑` and `Tab` are the search's."""

_SHARED = ("mark.one", "mark.range", "mark.all", "screen.next", "screen.previous", "screen.density",
           "entry.copy")  # fmt: skip

KEYS: list[BindingType] = [
    PICK_KEY,
    key("slash", "query", _("Query"), _("Go to the query line"), "search.query"),
    key("escape,q", "cancel", _("Cancel"), _("Leave without picking"), CANCEL),
    key("ctrl+y", "correct", _("Did you mean"), _("Search for what was meant"), "search.correct",
        show=False),
    key("equals_sign", "exact(True)", _("Exact"), EXACT, "search.exact"),
    key("equals_sign", "exact(False)", _("Related"), EXACT, "search.exact"),
    key("backspace", "drop_filter", _("Drop filter"), _("Remove the last filter"), "search.drop"),
    *(one for one in (*SCREEN, *ENTRY) if getattr(one, "id", "") in _SHARED),
    *TEXTS,
]  # fmt: skip

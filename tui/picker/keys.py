"""The keys of the picker: those of the search that change nothing, and those that pick."""

from __future__ import annotations

from textual.binding import BindingType

from memtui.store.platform.translation import _

from ..keys.bindings import ENTRY, SCREEN, TEXTS, hidden, key
from ..search.keys import EXACT

PICK, CANCEL, RESULTS, LATER = "picker.pick", "picker.cancel", "picker.results", "picker.later"
TOLD = _("Print it, or all marked ones, and leave")

PICK_KEY = key("enter", "screen.pick", "Pick", TOLD, PICK, display="⏎")

APP: list[BindingType] = [
    key("question_mark,f1", "help", "Help", "All keys of the picker (F1 while you type)", "app.help"),
    # Before the focus, so also in the help.
    hidden(
        "ctrl+c,ctrl+q",
        "cancel",
        "Leave",
        "Leave without picking, from anywhere",
        "picker.leave",
        priority=True,
    ),
]

QUERY: list[BindingType] = [
    hidden("enter", "take_offer(True)", "Take value", "Take the value that ↑ and ↓ moved to",
        "query.take_stepped"),
    PICK_KEY,
    hidden("down", "step_offer(1)", "Next offer", "To the value below", "query.next_offer"),
    hidden("down", "walk(-1)", "Later", "Forward again, to what was typed", LATER),
    key("down", "screen.to_results", "Results", "To the next memory; Space marks there", RESULTS,
        display="↓"),
    key("escape", "close_offers", "Close", "Close the offers", "query.close"),
    key("escape", "screen.cancel", "Cancel", "Leave without picking", CANCEL),
]  # fmt: skip
"""Of the query line; `↑` and `Tab` are the search's."""

_SHARED = ("mark.one", "mark.range", "mark.all", "screen.next", "screen.previous", "screen.density",
           "entry.copy")  # fmt: skip

KEYS: list[BindingType] = [
    PICK_KEY,
    key("slash", "query", "Query", "Go to the query line", "search.query"),
    key("escape,q", "cancel", "Cancel", "Leave without picking", CANCEL),
    hidden("ctrl+y", "correct", "Did you mean", "Search for what was meant", "search.correct"),
    key("equals_sign", "exact(True)", "Exact", EXACT, "search.exact"),
    key("equals_sign", "exact(False)", "Related", EXACT, "search.exact"),
    key("backspace", "drop_filter", "Drop filter", "Remove the last filter", "search.drop"),
    *(binding for binding in (*SCREEN, *ENTRY) if getattr(binding, "id", "") in _SHARED),
    *TEXTS,
]  # fmt: skip

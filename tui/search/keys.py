"""The search's own keys, and what its help tells of the query language."""

from __future__ import annotations

from textual.binding import BindingType

from memtui.store.platform.translation import _

from ..keys.bindings import FOLLOW, STOP, UNMARK, UNZOOM, ZOOM, hidden, key

TURNS = _("List each turn once, or each of its records")
EXACT = _("Leave related hits out, or show them too")

KEYS: list[BindingType] = [
    key("slash", "query", "Go to query", "Go to the query line", "search.query", footer="Query"),
    key(
        "left_square_bracket",
        "resize_window(-1)",
        "Narrower window",
        "A shorter stretch of the timeline",
        "search.narrower",
        display="[ ]",
        footer="Window",
    ),
    hidden(
        "right_square_bracket",
        "resize_window(1)",
        "Wider window",
        "A longer stretch of the timeline",
        "search.wider",
    ),
    key(
        "full_stop,alt+h",
        "here",
        "Search here or all",
        "Search the project of the repository here alone, or all",
        "search.here",
        display=".",
        footer="Here/all",
    ),
    key(
        "at,alt+t",
        "on_server",
        "Search the team",
        "Ask the team's server, for what needn't be here, or search here again",
        "search.team",
        display="@",
        footer="Team",
    ),
    key(
        "w",
        "why",
        "Explain hit",
        "Why this hit: what matched, where, and its score",
        "search.why",
        footer="Why",
    ),
    # Not in the footer: the line that offers it names the key.
    hidden("ctrl+y", "correct", "Did you mean", "Search for what was meant", "search.correct"),
    # First, and before the focus: while a search goes on Esc stops it, and nothing else.
    key("escape", "stop", "Stop", "Stop the search that is still going on", "search.stop", priority=True),
    STOP,
    UNMARK,
    UNZOOM,
    # Again, as the keys of a class replace those it inherits.
    ZOOM,
    key("escape", "back", "Go back", "To where you were before", "screen.back", footer="Back"),
    key(
        "s",
        "scope",
        "Change scope",
        "The timeline of its session, its project, or everything",
        "search.scope",
        footer="Scope",
    ),
    key("equals_sign", "exact(True)", "Exact", EXACT, "search.exact"),
    key("equals_sign", "exact(False)", "Related", EXACT, "search.exact"),
    hidden("percent_sign", "turns(False)", "Turns", TURNS, "search.turns"),
    hidden("percent_sign", "turns(True)", "Turns", TURNS, "search.turns"),
    hidden(
        "alt+x",
        "export_query",
        "Export query",
        "Write all that the query matches exactly into a file; what is private or deleted stays",
        "search.export-query",
    ),
    key("ctrl+s", "save_search", "Save", "Save the search under a name", "search.save"),
    key("r", "restore", "Restore", "Bring it back, or all marked ones", "trash.restore"),
    key("F", "purge", "Forget", "Forget it, or all marked ones, for good; asks first", "trash.purge"),
    FOLLOW,
    hidden(
        "shift+delete",
        "purge_shown",
        "Forget",
        "Forget it, or all marked ones, for good; asks first",
        "search.purge",
    ),
    key("Z", "empty_trash", "Empty", "Forget all that is deleted, for good; asks first", "trash.empty"),
    key("backspace", "drop_filter", "Drop filter", "Remove the last filter", "search.drop"),
]
HINTS = (
    ("token refresh", _("both words, anywhere in a word too, in any order")),
    ('"token refresh"', _("the phrase as it stands")),
    ("a OR b", _("either")),
    ("-word", _("without the word")),
    ("title:word", _("in one field: title, narrative, facts, concepts, request, learned …")),
    ("type:bugfix,decision", _("of these types; -type: for all others")),
    ("project: session: agent:", _("of that project, session or agent")),
    ("branch:feat/retries", _("done on that git branch; kind:session lists its sessions")),
    ("kind:", _("observation, prompt, summary or fact")),
    ("file: concept: tag: tool:", _("that touch a file, or carry a concept, tag or tool")),
    ("source:claude-mem", _("imported from there, or from the file of that name")),
    ("since:7d until:2026-02-01", _("by time; on:2026-02-18 for one day")),
    ("is:pinned", _("the pinned; is:private, is:deleted and is:noise show what is left out")),
    ("is:stale ≠", _("of which a file has changed since, by git's log; -is:stale for the others")),
    ("is:pending", _("wait for your word: I accepts and refuses them")),
    ("told:0 told:>5", _("so often told to agents; sort:told has the most told first")),
    ("is:similar:276", _("similar to the memory 276, nearest first")),
    ("sort:meaning", _("the nearest in meaning first")),
    ("sort:recent sort:oldest", _("newest first rather than best first; oldest first")),
    ("sort:pinned", _("the pinned first")),
)

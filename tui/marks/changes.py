"""What is done to the memories that refs name, each as one change of the store, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memtui.store import Action, ActionName, Changed, NotFoundError, Store
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..text.records import as_text

Progress = Callable[[int, int, str], None]

DOING: dict[ActionName, str] = {
    "delete": _("Deleting"),
    "restore": _("Restoring"),
    "pin": _("Pinning"),
    "hide": _("Hiding"),
    "tag": _("Tagging"),
    "project": _("Moving"),
}
KEYS: dict[ActionName, str] = {
    "delete": "d", "restore": "r", "pin": "p", "hide": "x", "tag": "T", "project": "M",
}  # fmt: skip
"""The key of each, as the journal names it."""
QUESTIONS: dict[ActionName, tuple[str, str]] = {
    "delete": (N_("Delete {count} memories?"), _("deletes them")),
    "hide": (N_("Hide {count} memories?"), _("hides them")),
}
"""What takes many memories out of sight is asked back: the question, and what Enter does."""
OPPOSITES: dict[ActionName, ActionName] = {"delete": "restore", "pin": "unpin", "hide": "show"}
"""What a key does instead where all that it is to change is so already."""

MOST_COPIED = 1_000
"""Memories that the clipboard is given."""


def change(store: Store, refs: Sequence[str], action: Action, progress: Progress) -> Changed:
    """Do one thing to all, or its opposite where all of them are so already."""
    from memtui.store.observe.curating import change_many

    done = change_many(store, refs, action, progress=progress)
    opposite = OPPOSITES.get(action.name)
    if done.refs or done.left or opposite is None:
        return done
    return change_many(store, refs, Action(opposite), progress=progress)


def told(done: Changed) -> str:
    """Return in a sentence or two what became of many."""
    if done.refs:
        parts = [_("{change}. u undoes.", change=f"{done.what[:1].upper()}{done.what[1:]}")]
    else:
        parts = [_("Nothing was changed.")]
    if done.unchanged:
        many = count_noun(len(done.unchanged), "memories")
        parts.append(
            _("{memories} was so already.", memories=many)
            if len(done.unchanged) == 1
            else _("{memories} were so already.", memories=many)
        )
    return safe(" ".join((*parts, *done.left[:3])))


def tags(text: str) -> Action:
    """Return the change of tags that a line asks for: tags between commas, those after a - removed."""
    named = [name.strip() for name in text.split(",")]
    removed = tuple(word[1:].strip() for word in named if word.startswith("-") and word[1:].strip())
    return Action("tag", tuple(item for item in named if item and item[0] != "-"), removed)


def texts(store: Store, refs: Sequence[str]) -> list[str]:
    """Return what memories say; those that are gone meanwhile are left out."""
    results = []
    for ref in refs:
        try:
            results.append(as_text(store.record(ref)))
        except NotFoundError:
            continue
    return results

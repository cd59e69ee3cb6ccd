"""The list of what may be merged, and the form in which the result is edited before anything is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType
from textual.content import Content

from memtui.store import AnyRecord, StoreError
from memtui.store.maintain.duplicates.candidates import MergeCandidate
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..editing.form import FormScreen
from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..protocol import browser
from ..text.content import DIM, edges, fit, joined, plain

if TYPE_CHECKING:
    from memtui.store.team.marks import TeamMark


class CandidateList(PagedList[MergeCandidate]):
    """Each with why it is offered, on two lines."""

    may_have_marks = True

    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "select", "Compare", "Go to its fields side by side", "merge.open", display="⏎"),
    ]

    def __init__(self) -> None:
        super().__init__(key=lambda candidate: candidate.refs, row_height=2)

    def mark_of(self, item: MergeCandidate) -> TeamMark | None:
        """Return the mark of the first that is a teammate's."""
        known = browser(self).team_marks
        marks = [mark for ref in item.refs if (mark := known.of(self.app, ref))]
        return next((mark for mark in marks if mark.author), None)

    def render_row(self, item: MergeCandidate, width: int, selected: bool) -> list[Content]:
        title = plain(item.title or _("untitled"), "bold" if selected else "")
        alike = f"{item.similarity:.0f}%"
        what = count_noun(len(item.refs), "memories")
        if item.is_conflict:
            what, alike = _(item.why), _("conflict")
        elif item.is_replacement:
            what = _("may replace it: {reason}", reason=_(item.why))
        elif item.is_in_other_words:
            what = _("{memories} in other words", memories=what)
        content = plain(joined(what, item.project), DIM)
        return [fit(title, width), edges(content, plain(alike, DIM), width)]


class ResultForm(FormScreen):
    """It gives `` in any case; `fields` are those that were changed, and kept."""

    CSS_PATH = "../editing/form.tcss"

    def __init__(self, kind: str, values: dict[str, Any], ref: str, record: AnyRecord) -> None:
        super().__init__(kind, values, ref, record)
        self.fields: dict[str, Any] = {}

    def on_mount(self) -> None:
        self.box.border_title = _("what they become")
        self.box.border_subtitle = _("^s keeps it for the merge · ⇥ next field · esc leaves")

    def action_save(self) -> None:
        """Keep what was changed for the merge."""
        try:
            self.fields = self.changed()
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.dismiss("")

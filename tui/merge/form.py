"""The form in which the result of a merge is edited before anything is stored."""

from __future__ import annotations

from typing import Any

from memtui.store import AnyRecord, StoreError
from memtui.store.translation import _

from ..editing.form import FormScreen


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

"""docs/keys.md tells every key, as it is."""

from __future__ import annotations

from memtui.tui.help.page import owners, page
from memtui.tui.keys.bindings import bindings_of
from tests.places import ROOT


def test_the_page_of_keys_is_up_to_date() -> None:
    written = (ROOT / "docs" / "keys.md").read_text("utf-8")
    assert written == page(), "docs/keys.md is out of date: `make keys` makes it anew."


def test_every_key_of_every_screen_pane_and_dialog_is_on_the_page() -> None:
    shown = page()
    for owner in owners():
        for binding in bindings_of(owner):
            assert f"| `{binding.id}` |" in shown

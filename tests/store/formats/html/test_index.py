"""What the index of exported pages counts, is called, and says of each memory."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.formats.common.scope import Scope, choose, choose_project
from memtui.store.leaves.html.export import export_html
from memtui.store.leaves.html.markup import words_of

from ..fillings import EVERYTHING, NOW
from .pages import index_data, pages, read

DAY = 86_400_000


def rows(folder: Path) -> list[Any]:
    return list(index_data(folder / "index.html")["rows"])


def test_two_levels_of_one_summary_are_one_memory(store: Store, tmp_path: Path) -> None:
    session = store.sessions.start("c-1", project="atlas", at=NOW)
    store.summaries.add(session, request="Login", completed="Leeway", level="brief", at=NOW)
    whole = store.summaries.add(
        session, request="Login", completed="Leeway\nand a test", level="detailed", at=NOW
    )
    assert export_html(store, tmp_path / "one")["summaries"] == 1
    (row,) = rows(tmp_path / "one")
    assert row[4] == f"s{whole.id}"
    page = next(path for name, path in pages(tmp_path / "one").items() if "/" in name)
    assert "1 summary" in page.read_text()
    assert page.read_text().count("<article") == 1
    assert "1 memory" in (tmp_path / "one" / "sessions.html").read_text()
    # The brief one alone says something where the other doesn't go.
    store.db.execute("UPDATE summaries SET private = 1 WHERE id = ?", (whole.id,))
    assert export_html(store, tmp_path / "brief")["summaries"] == 1
    assert rows(tmp_path / "brief")[0][4] != f"s{whole.id}"
    assert export_html(store, tmp_path / "all", EVERYTHING)["summaries"] == 1
    assert rows(tmp_path / "all")[0][4] == f"s{whole.id} private"


def test_a_title_is_not_said_again_below_it(store: Store, tmp_path: Path) -> None:
    long = "word " * 60 + "end"
    for at, text in enumerate(("why does login fail?", "first line\nsecond line", long)):
        store.prompts.add("c-1", text, at=NOW + at)
    export_html(store, tmp_path)
    found = {row[5]: row[6] for row in rows(tmp_path)}
    assert found.pop("why does login fail?") == ""
    assert found.pop("first line") == "second line"
    ((title, text),) = found.items()
    assert title.startswith("word word") and title.endswith("…")
    assert text.startswith("word") and text.endswith("end")
    # Nothing of it is lost to a search, and no word is cut in two.
    assert long.endswith(text) and len(title) - 1 + len(text) >= len(long) - 1


def test_the_fields_of_a_summary_stand_apart(store: Store, tmp_path: Path) -> None:
    made = store.summaries.add(
        "c-1", request="Login fails", learned="Clocks drift", completed="- Leeway\n- test", at=NOW
    )
    assert words_of(made) == ["Clocks drift", "- Leeway\n- test"]
    export_html(store, tmp_path)
    assert rows(tmp_path)[0][6] == "Clocks drift · - Leeway - test"


def test_a_session_that_goes_alone_gives_its_title(store: Store, tmp_path: Path) -> None:
    session = store.sessions.start("c-1", project="atlas", title="Login fails", at=NOW)
    store.prompts.add(session, "why?", at=NOW)
    export_html(store, tmp_path / "s", choose(store.db, [f"@{session.id}"], Scope()))
    export_html(store, tmp_path / "p", choose_project(store.db, "atlas", Scope()))
    assert read(tmp_path / "s" / "index.html").texts["h1"] == ["Login fails"]
    assert read(tmp_path / "s" / "index.html").texts["title"][0] == "Login fails"
    assert read(tmp_path / "p" / "index.html").texts["h1"] == ["atlas"]


@pytest.mark.parametrize(("days", "bars"), [(1, 0), (2, 2)])
def test_a_picture_has_two_bars_or_more(store: Store, tmp_path: Path, days: int, bars: int) -> None:
    for number in range(days):
        store.observations.add("c-1", title=f"memory {number}", at=NOW + number * DAY)
    export_html(store, tmp_path)
    found = read(tmp_path / "index.html")
    assert sum(tag == "figure" for tag, _ in found.elements) == bool(bars)
    assert found.attributes("class").count("hit") == bars

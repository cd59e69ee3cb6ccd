"""A foreign row's texts are scrubbed, whatever of it one look at all of them leaves out."""

import pytest

from memtui.store.formats.common.report import Report
from memtui.store.formats.sqlite.row import TIME, ForeignRow
from memtui.store.text.redaction import scrub

TOKEN = "gh" + "p_" + "a1B2" * 9
TIMES = ("2026-01-01T00:00:00Z", "2026-01-01 23:59:59", "2026-01-01T00:00:00.000Z")


def row(native_id: str, **values: object) -> ForeignRow:
    return ForeignRow("observations", native_id, values, Report("here"))


def test_a_secret_in_a_rows_id_is_redacted() -> None:
    assert TOKEN not in row(TOKEN, title="plain").native_id
    assert row("7", title="plain").native_id == "7"


@pytest.mark.parametrize("time", TIMES)
def test_a_time_holds_nothing_to_scrub(time: str) -> None:
    assert TIME.fullmatch(time)
    assert scrub(time) == time
    assert row("7", created_at=time).text("created_at") == time


@pytest.mark.parametrize(
    "text", [f"{TIMES[0]} {TOKEN}", f"{TIMES[0]}\n{TOKEN}", f"{TOKEN}\n{TIMES[0]}", TOKEN]
)
def test_a_secret_beside_a_time_is_redacted(text: str) -> None:
    assert TOKEN not in str(row("7", created_at=text).text("created_at"))
    assert TOKEN not in str(row("7", created_at=TIMES[0], title=text).text("title"))

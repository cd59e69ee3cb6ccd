"""A foreign time is read by its size: seconds, milliseconds, or no time at all."""

from __future__ import annotations

from memtui.store.text.times import moment
from tests.tables import table


@table(
    ("epoch", "text", "found"),
    [
        (1_770_000_000_000, None, 1_770_000_000_000),
        (1_770_000_000, None, 1_770_000_000_000),
        (99_999_999_999, None, 99_999_999_999_000),
        (100_000_000_000, None, 100_000_000_000),
        (4_070_908_800_000, "2026-01-01T00:00:00Z", 4_070_908_800_000),
        (0, "2026-02-02T02:40:00.000Z", 1_770_000_000_000),
        (-5, "2026-02-02T10:40:00+08:00", 1_770_000_000_000),
        (None, "2026-02-02T02:40:00", 1_770_000_000_000),
        (1 << 62, "2026-02-02T02:40:00.250Z", 1_770_000_000_250),
        (0, "1970-01-01T00:00:00Z", None),
        (None, "20260202T024000Z", 1_770_000_000_000),
        (None, "2026/2/2 02:40", 1_770_000_000_000),
        (None, "2026-02-02 10:40:00 +0800", 1_770_000_000_000),
        (None, "2026年2月2日 02:40", 1_770_000_000_000),
        (None, "Mon, 02 Feb 2026 02:40:00 GMT", 1_770_000_000_000),
        (None, "Mon Feb 02 2026 10:40:00 GMT+0800 (China Standard Time)", 1_770_000_000_000),
        (None, "1770000000", 1_770_000_000_000),
        (None, " 1770000000250.0", 1_770_000_000_250),
        (None, "02/03/2026", None),
        (None, "2026-02-02 02:40 EST", None),
        (None, "2026-02-30T02:40:00Z", None),
        (None, "it was 2026-02-02, wasn't it", None),
        (None, "2026", None),
        (0, "yesterday", None),
        (None, None, None),
        (None, "0001-01-01T00:00:00", None),
        (None, "9999-12-31T23:59:59-23:59", None),
    ],
)
def test_the_number_counts_first_and_the_text_where_it_is_no_time(
    epoch: int | None, text: str | None, found: int | None
) -> None:
    assert moment(epoch, text) == found

"""What people ask weeks later is in the memory, and found, in sessions of English and Chinese."""

from bench.questions.__main__ import COLUMNS, measure


def test_each_question_is_answered_by_a_memory_that_stands_among_the_first() -> None:
    rows, failed = measure()
    share = dict(zip(COLUMNS, rows["all"][1:], strict=True))
    assert float(share["stored"]) == 1
    assert float(share["opened@5"]) >= 0.95, failed
    assert float(share["shown@5"]) >= 0.9, failed
    assert float(share["answers"]) >= 0.5
    assert float(share["elsewhere"]) == 0

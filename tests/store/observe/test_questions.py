"""What people ask weeks later is in the memory, and found, in sessions of English and Chinese."""

from bench.questions.__main__ import measure


def test_each_question_is_answered_by_a_memory_that_stands_among_the_first() -> None:
    rows, failed = measure()
    _, stored, _, shown, _, opened, _ = rows["all"]
    assert float(stored) == 1
    assert float(opened) >= 0.95, failed
    assert float(shown) >= 0.9, failed

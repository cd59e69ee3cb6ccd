"""A prompt asks for something, or only answers, agrees and reports."""

from __future__ import annotations

from memtui.store.text.language.phrases import asks_something
from tests.tables import table


@table("prompt", ["q", "8", "3 but on this branch", "ok, do it", '{"task_id": "b4", "status": "done"}'])
def test_an_answer_or_a_report_asks_for_nothing(prompt: str) -> None:
    assert not asks_something(prompt)


@table("prompt", ["sort the list", "3 tests fail, mend them", "修复排序"])
def test_a_task_asks_for_something(prompt: str) -> None:
    assert asks_something(prompt)

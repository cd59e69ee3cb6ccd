"""Texts of passages, wrapped to the width that they have."""

from collections.abc import Sequence

import pytest
from textual.app import App, ComposeResult
from textual.content import Content

from memtui.tui.parts.text_view import GrowingText, TextView
from memtui.tui.text.content import Passage


class CountedWords:
    """A text that notes each width it is wrapped to."""

    def __init__(self, words: str) -> None:
        self.words = Content(words)
        self.widths: list[int] = []

    def wrap(self, width: int) -> Sequence[Content]:
        self.widths.append(width)
        return self.words.wrap(width)


class TextApp(App[None]):
    """A view of a text, in all of a terminal."""

    def __init__(self, view: TextView) -> None:
        super().__init__()
        self.view = view

    def compose(self) -> ComposeResult:
        yield self.view


@pytest.mark.parametrize("kind", [TextView, GrowingText])
async def test_a_text_is_wrapped_once_for_each_width(kind: type[TextView]) -> None:
    text = CountedWords("many words " * 40)
    app = TextApp(kind())
    async with app.run_test(size=(60, 30)) as pilot:
        app.view.show([Passage(text)])
        await pilot.pause()
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert len(text.widths) == 1
        await pilot.resize_terminal(40, 20)
        await pilot.pause()
        assert len(text.widths) == 2
        lines = [app.view.line_at(number) for number in range(20)]
        assert max(line.cell_length for line in lines) <= app.view.text_width < 40


async def test_another_text_of_the_same_width_is_wrapped_too() -> None:
    app = TextApp(TextView())
    async with app.run_test(size=(60, 30)) as pilot:
        for words in ("one", "other"):
            app.view.show([Passage(Content(words))])
            await pilot.pause()
            assert app.view.line_at(0).plain == words

"""A bar shows on a terminal, and only where something takes long."""

import io

import pytest

from memtui.store.cli.output import console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "short", "is_shown"),
    [(Terminal(), -1.0, True), (Terminal(), 3_600.0, False), (io.StringIO(), -1.0, False)],
    ids=["long", "short", "no terminal"],
)
def test_a_bar_is_for_what_takes_long_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, short: float, is_shown: bool
) -> None:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(console, "SHORT", short)
    with console.progress_bar("Importing") as show:
        if show is not None:
            show(1, 2, "words")
    assert ("Importing" in stream.getvalue()) == is_shown

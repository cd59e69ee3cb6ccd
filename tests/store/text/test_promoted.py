"""What bears a memory's uid in an agent's file is taken out where it comes back."""

import pytest

from memtui.store.text.private_tags import comment, uid_in, without_promoted

UID = "01a21d19-3bee-7d02-acb1-48419b959a6f"
LINE = f"- Use pnpm. {comment(UID)}\n"
NOTE = f"---\nname: pnpm\nmemtui: {UID}\n---\n\nUse pnpm.\n"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"one\n{LINE}two\n", "one\ntwo\n"),
        (f"     7→{LINE}", ""),
        (LINE.rstrip("\n"), ""),
        (NOTE, ""),
        (f"Read memory/pnpm.md:\n{NOTE}", "Read memory/pnpm.md:\n"),
        ("".join(f"{number:6}\t{line}\n" for number, line in enumerate(NOTE.splitlines(), 1)), ""),
        ("memtui: a browser\n", "memtui: a browser\n"),
        ("<!-- memtui: no -->\n", "<!-- memtui: no -->\n"),
    ],
)
def test_promoted_text_is_left_out_and_other_text_stays(text: str, left: str) -> None:
    assert without_promoted(text) == left


def test_a_line_tells_whose_it_is() -> None:
    assert (uid_in(LINE), uid_in("- Use pnpm.")) == (UID, "")

"""An apostrophe is one however it is written."""

import re

import pytest

from memtui.store.observe.rules.facts import extract
from memtui.store.observe.rules.replies import is_chatter, reply_fields
from memtui.store.observe.summaries.lines import read_reply
from memtui.store.text.language.phrases import spoken_pattern


@pytest.mark.parametrize("apostrophe", ["'", "’", "ʼ"])
def test_a_pattern_takes_each_apostrophe_in_and_out_of_a_class(apostrophe: str) -> None:
    pattern = spoken_pattern(r"^i'(?:ll|m) [^'\s]+ \"x\"$", re.IGNORECASE)
    assert pattern.match(f'I{apostrophe}ll see "x"')
    assert pattern.match(f"I{apostrophe}ll see “x”")
    assert not pattern.match(f'I{apostrophe}ll s{apostrophe}e "x"')


def test_what_an_agent_is_about_to_do_is_chatter_in_typographic_letters_too() -> None:
    for apostrophe in "'’":
        assert is_chatter(f"I{apostrophe}ll look at the harbour next.")
        assert reply_fields(f"I{apostrophe}ll check the tide table now.", is_final=False) is None
        assert extract(f"Don{apostrophe}t ever sail without a lamp.")
        lines = read_reply(f"The lamp isn{apostrophe}t tested yet.")
        assert lines.next_steps == [f"The lamp isn{apostrophe}t tested yet."]

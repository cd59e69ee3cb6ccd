"""What users choose and want in plain speech is held true; tasks, questions and asides are not."""

import json
from pathlib import Path
from typing import Any

from memtui.store.observe.rules.facts import extract
from tests.tables import table

OFFER = (
    "Two ways:\n\n**Option 1: Keep the oak mast** (simple)\n- one tree\n\n**Option 2: Buy a steel mast**\n\n"
    "Which do you prefer?"
)


PAIRS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "said.jsonl").read_text("utf-8").splitlines()
]
"""Replies, what a user said to them, and the phrases (joined by …) of what that holds true: prohibitions,
nods, choices, values, pasted texts."""


def said(text: str, before: str = "") -> list[str]:
    return [fact.content for fact in extract(text, "user", before) if not fact.is_change]


@table(
    ("text", "before", "content"),
    [
        ("I like the sails as they were drawn", "", "I like the sails as they were drawn"),
        ("please don't just paint over the rust", "", "Please don't just paint over the rust"),
        ("the log should be kept in the harbour office", "",
         "The log should be kept in the harbour office"),
        ("I don’t think we need a second lamp but instead we use one rope", "",
         "I don’t think we need a second lamp but instead we use one rope"),
        ("fine, but keep the old rudder", "", "Keep the old rudder"),
        ("no, use pine instead", "Shall I take oak?", "Use pine instead"),
        ("rule: each boat has an owner", "", "Each boat has an owner"),
        ("from today boats leave at dawn", "", "From today boats leave at dawn"),
        ("white sails, always, also on Sundays", "", "White sails, always, also on Sundays"),
        ("two hours, then sound the horn", "How long shall we wait?", "Two hours, then sound the horn"),
        ("yes, a lamp per mast, red ones are fine", "I propose lamps.",
         "A lamp per mast, red ones are fine"),
        ("then put the anchor into the name of the rope", "The ropes are mixed up.",
         "Then put the anchor into the name of the rope"),
        ("I like option 2", OFFER, "Buy a steel mast"),
        ("就用方案一", OFFER, "Keep the oak mast (simple)"),
        ("那就统一用白色的帆", "帆的颜色不一样。", "那就统一用白色的帆"),
        ("先收帆再下锚", "船会漂走。", "先收帆再下锚"),
        ("不要用红色的灯", "", "不要用红色的灯"),
        ("lower the toll to at most 12 percent", "", "Lower the toll to at most 12 percent"),
        ("the quay is longer now. extend the mooring time to 3 hours", "",
         "Extend the mooring time to 3 hours"),
        ("船上最少六个人", "要多少人?", "船上最少六个人"),
        ("please dont just paint over the rust", "", "Please dont just paint over the rust"),
        ("boat plans should not be redrawn ever", "", "Boat plans should not be redrawn ever"),
        ("that won't float - this boat should stay in the shed", "",
         "This boat should stay in the shed"),
        ("the bow is nice , but we don't want a second lamp , come on", "",
         "We don't want a second lamp"),
        ("I would like to use one rope for all masts", "",
         "I would like to use one rope for all masts"),
        ("no ropes on deck", "", "No ropes on deck"),
    ],
)  # fmt: skip
def test_a_choice_or_a_wish_is_held_true(text: str, before: str, content: str) -> None:
    assert said(text, before) == [content]


@table(
    ("text", "before"),
    [
        ("ok do it", OFFER),
        ("commit and push", "Which branch?"),
        ("I like option 7", OFFER),
        ("I like option 2", ""),
        ("should we keep the oak mast?", OFFER),
        ("add a lamp to the bow please", "The bow is dark."),
        ("let's see how it goes", "It may leak."),
        ("I want to see the log", ""),
        ("don't push yet", ""),
        ("the mast broke after 3 hours, I was there", ""),
        ("here is the log:\n10:01 WARN mast\n10:02 WARN mast\n10:03 keep 5 workers per mast", "Show me."),
        ("> keep the old rudder", ""),
        ("He said we should keep the oak mast", ""),
        ("if it rains, keep the sails down", ""),
        ("看看这个文件", "好了吗?"),
        ("raise the flag at noon", ""),
        ("ok the lamp has been added and lit", "Shall I add a lamp?"),
        ("before you do that, we need to get back to the harbour", "Shall I go on?"),
        ("ok that sounds great", "Shall I add a lamp?"),
        ("ok lets handle this in the next harbour then", "Shall I add a lamp?"),
        ("I wanted to talk about the lamps", ""),
        ("im just thinking of the mast", "Which mast?"),
        ("да, посмотрим завтра", "Which mast?"),
        ("remember also you have a second lamp", ""),
        ("/review", "Would you like the oak mast, or were you trying to do something else?"),
        ("/mast:progress", "Which mast should I take, oak or pine?"),
        ("/check-lamps", "Which name should the mast have?"),
    ],
)  # fmt: skip
def test_a_task_a_question_or_an_aside_is_not(text: str, before: str) -> None:
    assert said(text, before) == []


@table("pair", PAIRS)
def test_what_is_held_true_is_what_was_meant(pair: dict[str, Any]) -> None:
    held = said(pair["said"], pair.get("before", ""))
    wanted = pair.get("holds", [])
    assert len(held) == len(wanted)
    for content, phrases in zip(held, wanted, strict=True):
        assert all(phrase.lower() in content.lower() for phrase in phrases.split("…"))

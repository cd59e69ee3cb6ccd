"""A question put to the user is a decision, with the answer, in every agent."""

import json
from typing import Any

from memtui.store.observe.rules.observation import observation_fields
from memtui.store.records.events import ToolUse
from tests.tables import table

ASKED = {
    "questions": [
        {
            "question": "Which database should we use?",
            "header": "Database",
            "id": "db",
            "options": [
                {"label": "SQLite", "description": "One file."},
                {"label": "Postgres", "description": "A server."},
            ],
        }
    ]
}
ONE = {"question": "Which database should we use?", "choices": ["SQLite", "Postgres"]}
ANSWERS: list[tuple[str, Any, Any]] = [
    ("AskUserQuestion", ASKED, {**ASKED, "answers": {"Which database should we use?": "SQLite"}}),
    ("AskUserQuestion", ASKED, 'User has answered your questions: "Which database should we use?"="SQLite". '
     "You can now continue."),
    ("request_user_input", ASKED, json.dumps({"answers": {"db": {"answers": ["SQLite"]}}})),
    ("ask_user", ASKED, {"llmContent": json.dumps({"answers": {"0": "SQLite"}})}),
    ("ask_user", ONE, {"resultType": "success", "textResultForLlm": "User selected: SQLite"}),
    ("ask_user", ONE, "User responded: SQLite"),
    ("question", ASKED, {"output": 'User has answered your questions: "Which database should we use?"="SQLite"',
     "metadata": {"answers": [["SQLite"]]}}),
    ("ask_followup_question", {"question": "Which database should we use?", "follow_up": ["SQLite", "Postgres"]},
     "<answer>\nSQLite\n</answer>"),
    ("AskQuestion", ASKED, {"answers": [{"answer": "SQLite"}]}),
]  # fmt: skip


@table(("tool", "given", "response"), ANSWERS)
def test_an_answered_question_is_a_decision(tool: str, given: Any, response: Any) -> None:
    made = observation_fields(ToolUse(tool, given, response))
    assert (made["type"], made["title"]) == ("decision", "Asked: Which database should we use? → SQLite")
    assert "* SQLite" in (made["narrative"] or "")
    assert "- Postgres" in (made["narrative"] or "")


@table(
    ("question", "answer"),
    [
        ("What would you like to do with this entry?", "Work on it now"),
        ("More questions about caching, or next area?", "Next area"),
        ("Which cache should we use?", "You decide"),
    ],
)
def test_what_to_do_now_is_no_decision(question: str, answer: str) -> None:
    made = observation_fields(ToolUse("ask_user", {"question": question}, f"User responded: {answer}"))
    assert made["type"] == "note"


def test_an_answer_that_is_too_long_for_the_title_is_a_fact() -> None:
    answer = "Keep one file for each quay, and merge them only where the harbour office asks for it"
    made = observation_fields(ToolUse("ask_user", ONE, f"User responded: {answer}"))
    assert made["facts"] == [f"the user said: {answer}"]


def test_a_question_without_an_answer_decides_nothing() -> None:
    for response, failed in ((None, False), ("User declined to answer questions", False), ("no", True)):
        made = observation_fields(ToolUse("AskUserQuestion", ASKED, response, failed))
        assert made["type"] in ("note", "error")
        assert "→" not in made["title"]


def test_a_plan_says_what_it_is_and_whether_it_was_accepted() -> None:
    plan = {"plan": "# Move tokens to Redis\n1. Add a client"}
    said = "The user doesn't want to proceed with this tool use."
    assert observation_fields(ToolUse("ExitPlanMode", plan, "User has approved your plan."))["title"] == (
        "Planned: Move tokens to Redis (accepted)"
    )
    made = observation_fields(ToolUse("ExitPlanMode", plan, said, failed=True))
    assert made["title"] == "Declined by the user: plan: Move tokens to Redis"


@table(
    ("tool", "given", "answer", "title", "narrative"),
    [
        ("ExitPlanMode", {}, {"plan": "# Plan: add weeks\n1. test", "isAgent": False, "filePath": "/p.md"},
         "Planned: add weeks (accepted)", "# Plan: add weeks\n1. test"),
        ("ExitPlanMode", {}, "User has approved your plan.\n\n## Approved Plan:\n# Add weeks\n1. test",
         "Planned: Add weeks (accepted)", "# Add weeks\n1. test"),
        ("exit_plan_mode", {"plan_path": "plans/weeks.md"}, "Plan approved.",
         "Planned: plans/weeks.md (accepted)", "Plan approved."),
        ("exit_plan_mode", {"summary": "Add weeks"}, "Plan approved.", "Planned: Add weeks (accepted)",
         "Add weeks"),
        ("create_plan", {"name": "weeks", "overview": "Add weeks"}, "ok", "Planned: Add weeks", "Add weeks"),
    ],
)  # fmt: skip
def test_a_plan_is_told_wherever_its_agent_puts_it(
    tool: str, given: dict[str, Any], answer: Any, title: str, narrative: str
) -> None:
    made = observation_fields(ToolUse(tool, given, answer))
    assert (made["type"], made["title"], made["narrative"]) == ("decision", title, narrative)


def test_a_sub_agent_is_told_with_what_was_asked_and_what_came_back() -> None:
    prompt = "Look through the whole cart package for functions that nothing calls, and list them."
    answer = "Excellent! Now I have all of it.\n\n# Report\n\nThree functions are never called: a, b, c."
    for tool in ("Task", "invoke_agent", "spawn_agent", "run_subagent"):
        made = observation_fields(
            ToolUse(tool, {"description": "Find dead code", "prompt": prompt}, answer)
        )
        assert made["title"] == "Delegated: Find dead code"
        assert made["subtitle"] == "Three functions are never called: a, b, c."
        assert (made["narrative"] or "").startswith(f"Asked: {prompt}")


def test_an_unknown_tool_says_its_most_telling_argument() -> None:
    def title(given: Any) -> str:
        return observation_fields(ToolUse("mcp__jira__get_issue", given, "x"))["title"]

    assert title({"issue_key": "SHOP-12", "fields": ["a"]}) == "Got issue in jira: SHOP-12"
    assert title({"depth": 3, "owner": "o"}) == "Got issue in jira: depth 3, owner o"
    assert title({}) == "Got issue in jira"


@table(
    ("answer", "decides"),
    [("Oak", True), ("Oak, painted?", True), ("what does pine cost?", False), ("hmm, it depends on the price", False),
     ("honestly I have never seen one", False), ("you're the carpenter", False), ("birch, as in my first boat", True)],
)  # fmt: skip
def test_an_answer_that_asks_back_or_evades_decides_nothing(answer: str, decides: bool) -> None:
    options = [{"label": "Oak"}, {"label": "Pine"}]
    asked = {"questions": [{"question": "Which wood is the mast of?", "options": options}]}
    made = observation_fields(ToolUse("AskUserQuestion", asked, f'"Which wood is the mast of?"="{answer}"'))
    assert made["type"] == ("decision" if decides else "note")

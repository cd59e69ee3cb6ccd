"""What a session came to, told by rules: only what was said or observed."""

from typing import Any

import pytest

from memtui.store import Store
from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.rules.questions import UserQuestion, choices_in, told
from memtui.store.observe.summaries.lines import SummaryLines, is_trivial, read_reply
from memtui.store.observe.summaries.summary import SessionSummaries, Turn, answers_step, summarize
from memtui.store.records.events import ToolUse
from memtui.store.records.rows import Observation
from tests.tables import table

ROOT = "/home/dev/atlas"
REPLY = """Done. I fixed the refresh of tokens.

## What was wrong
- The TTL was 1 hour because of a typo.

## Changes
- `src/tokens.py`: refresh before expiry
- Added a test for it

| file | lines |
|---|---|
| a | 1 |

**Next steps**
1. Deploy to staging
2. Watch the error rate

Would you like me to open a pull request?
"""
回复 = """已完成：修复了令牌刷新的问题。

### 原因
- 过期时间写成了 1 小时

### 修改内容
- 调整 `src/tokens.py` 的过期时间

### 下一步
1、部署到测试环境
2、观察错误率
"""


def worked(store: Store, *tools: ToolUse) -> list[Observation]:
    session = store.sessions.start("c-1", project="atlas")
    for number, tool in enumerate(tools, start=1):
        made: dict[str, Any] = dict(observation_fields(tool, ROOT))
        store.observations.add(session, **made, prompt_number=number, discovery_tokens=10)
    return store.observations.of_session(session)


def ended(prompts: list[str], observations: list[Observation], reply: str) -> SessionSummaries:
    """The summary of a session whose one turn this reply ended."""
    at = max(item.created_at for item in observations)
    return summarize(prompts, observations, [Turn(at, read_reply(reply, prompts[-1]))])


READ = ToolUse("Read", {"file_path": f"{ROOT}/src/auth.py"}, "import os")
EDIT = ToolUse("Edit", {"file_path": f"{ROOT}/src/tokens.py", "old_string": "1", "new_string": "2"}, "ok")
LIST = ToolUse("Bash", {"command": "ls"}, "a")
COMMIT = ToolUse("Bash", {"command": "git commit -m 'Refresh early'"}, "[main a1b2c3d] Refresh early")
PASSED = ToolUse("Bash", {"command": "pytest -q"}, "3 passed in 0.1s")
FAILED = ToolUse("Bash", {"command": "pytest -q"}, "1 failed, 2 passed in 0.1s")


def test_a_session_is_summed_up_in_brief_and_in_detail(store: Store) -> None:
    made = ended(["Fix the token refresh", "commit"], worked(store, LIST, READ, EDIT, COMMIT), REPLY)
    assert made.brief["level"] == "brief"
    assert made.brief["request"] == "Fix the token refresh"
    assert made.detailed["level"] == "detailed"
    assert made.detailed["investigated"] == "Read src/auth.py"
    assert made.detailed["learned"] == "The TTL was 1 hour because of a typo."
    assert made.detailed["completed"] == (
        "- Committed: Refresh early\n- I fixed the refresh of tokens.\n"
        "- `src/tokens.py`: refresh before expiry\n- Added a test for it"
    )
    assert made.detailed["next_steps"] == (
        "- Deploy to staging\n- Watch the error rate\n"
        "- Open question: Would you like me to open a pull request?"
    )
    assert made.detailed["files_read"] == ["src/auth.py"]
    assert made.detailed["files_edited"] == ["src/tokens.py"]
    assert made.detailed["discovery_tokens"] == 40 - 10
    assert made.detailed["prompt_number"] == 4


def test_it_reads_chinese(store: Store) -> None:
    made = ended(["好的", "修复令牌刷新"], worked(store, EDIT), 回复).detailed
    assert made["request"] == "修复令牌刷新"
    assert made["learned"] == "过期时间写成了 1 小时"
    assert made["completed"] == "- 修复了令牌刷新的问题。\n- 调整 `src/tokens.py` 的过期时间"
    assert made["next_steps"] == "- 部署到测试环境\n- 观察错误率"


def test_a_terminal_that_was_pasted_is_not_what_was_asked_for(store: Store) -> None:
    terminal = "➜  ferry git:(main) ✗ git push\nerror: No `hooks.toml` found\nhint: Run it again"
    made = ended([terminal, "Push to the other harbour"], worked(store, EDIT), REPLY).detailed
    assert made["request"] == "Push to the other harbour"


def test_it_goes_into_the_store_as_it_is(store: Store) -> None:
    made = ended(["Fix it"], worked(store, EDIT), REPLY)
    for columns in (made.brief, made.detailed):
        stored = store.summaries.add("c-1", **columns)
        assert stored.files_edited == ("src/tokens.py",)
        assert stored.request == "Fix it"


def test_without_words_the_observations_tell_what_was_done(store: Store) -> None:
    made = summarize([], worked(store, EDIT, PASSED)).detailed
    assert made["request"] is None
    assert made["learned"] is None
    assert made["next_steps"] is None
    assert made["completed"] == "- Edited src/tokens.py\n- Ran pytest -q: 3 passed"


def test_tests_that_fail_in_the_end_are_not_completed(store: Store) -> None:
    made = summarize(["Fix it"], worked(store, EDIT, FAILED)).detailed
    assert made["completed"] == "Edited src/tokens.py"
    assert made["notes"] == "Ran pytest -q: 2 passed, 1 failed"


def test_noise_has_no_part_in_it(store: Store) -> None:
    made = summarize(["Look around"], worked(store, LIST))
    assert made.detailed["investigated"] is None
    assert made.detailed["completed"] is None


def test_nothing_is_made_of_nothing() -> None:
    made = summarize([], [])
    told = {name: value for name, value in made.detailed.items() if value}
    assert told == {"level": "detailed"}
    assert isinstance(made, SessionSummaries)


@pytest.mark.parametrize(
    ("prompts", "asked"),
    [
        (["hello", "ok do it", "Rename Cart to Basket"], "Rename Cart to Basket"),
        (["你好", "继续", "把购物车改名"], "把购物车改名"),
        (["commit"], "commit"),
        (["  ", "Fix\n\nthe **bug**"], "Fix the bug"),
    ],
)
def test_the_request_is_what_asks_for_something(prompts: list[str], asked: str) -> None:
    assert summarize(prompts, []).detailed["request"] == asked


@table(
    ("reply", "completed", "learned", "next_steps"),
    [
        ("Hello! How can I help you today?", [], [], []),
        ("I could not fix the bug.", [], [], []),
        ("The tests do not pass.", [], [], []),
        ("Tests can pass without it.", [], [], []),
        ("```\nAdded a line\n```", [], [], []),
        ("> Fixed in 2.0", [], [], []),
        ("Added `a.py`. It fails because the port is taken.",
         ["Added `a.py`."], ["It fails because the port is taken."], []),
        ("**Option 1: Remove it** (simplest)\n- Minimal change\n\nWhich do you prefer?", [], [], []),
        ("Updated both files:\n\n- `a.toml` - tools\n- `b.mod` - module\n\nYou may want to run `make`.",
         ["Updated both files: `a.toml` - tools", "Updated both files: `b.mod` - module"], [],
         ["You may want to run `make`."]),
        ("I updated the version in both files:\n- `a.toml`",
         ["I updated the version in both files: `a.toml`"], [], []),
        ("All tests pass.\n\n### TODO\n- [ ] Write the docs", ["All tests pass."], [], ["Write the docs"]),
        ("测试全部通过。接下来可以部署。", ["测试全部通过。"], [], ["接下来可以部署。"]),
        ("还没有完成，无法连接数据库。", [], [], []),
    ],
)  # fmt: skip
def test_a_reply_is_read_for_what_it_says(
    reply: str, completed: list[str], learned: list[str], next_steps: list[str]
) -> None:
    found = read_reply(reply)
    assert (found.completed, found.learned, found.next_steps) == (completed, learned, next_steps)


@table(
    ("reply", "completed", "decided", "next_steps"),
    [
        ("## My recommendation\n- Start with the small boat\n\nI'd recommend a new sail.", [], [], []),
        ("## Next steps I suggest\n- Paint the mast", [], [], []),
        ("Consider a second lamp. You should check the ropes.", [], [], []),
        ("## Workarounds\n- Tie the sail by hand", [], [], []),
        ("## Changes\n- `HARBOUR_KEY` - the key of the harbour\n- Added a lamp\n- The lamp shows red",
         ["Added a lamp"], [], []),
        ("### Trade-offs:\n- Oak: heavy\n- Pine: cheap", [], [], []),
        ("### Decisions\n- Masts are of oak", [], ["Masts are of oak"], []),
        ("### Decisions needed\n- Masts of oak or pine", [], [], []),
        ("### Plan\n**Remaining work:**\n- Paint the mast", [], [], []),
        ("There are no uncommitted changes to review.", [], [], []),
        ("I moved the lamp to the bow, but it blinded the helm, so I reverted it.", [], [], []),
        ("我把灯移到船头,太亮了,已撤回。", [], [], []),
        ("- updated boats are in the shed\n- Updated the boats", ["Updated the boats"], [], []),
    ],
)  # fmt: skip
def test_what_is_proposed_listed_or_given_up_is_neither_done_nor_left(
    reply: str, completed: list[str], decided: list[str], next_steps: list[str]
) -> None:
    found = read_reply(reply)
    assert (found.completed, found.decided, found.next_steps) == (completed, decided, next_steps)


@table(
    ("step", "done", "strikes"),
    [
        ("The new lamp is not committed yet.", "Committed: Light the bow", True),
        ("The branch is not pushed.", "Pushed to origin/main", True),
        ("Open a pull request", "Opened pull request: Light the bow", True),
        ("The branch still needs to be merged.", "Committed: Light the bow", False),
        ("Paint the mast", "Committed: Light the bow", False),
    ],
)
def test_what_git_did_strikes_the_step_that_waited_for_it(step: str, done: str, strikes: bool) -> None:
    assert answers_step(step, done) is strikes


def test_what_was_left_many_turns_ago_is_no_longer_told() -> None:
    turns = [Turn(at, SummaryLines(next_steps=[f"Paint mast number {at} in the shed"])) for at in range(9)]
    left = summarize(["Paint"], [], turns=turns).detailed["next_steps"] or ""
    assert "number 8" in left and "number 7" in left and "number 6" not in left


def test_it_is_short_however_long_the_session_was(store: Store) -> None:
    many = ["Please do this: " + "x" * 999] * 99
    observations = worked(store, *[
        ToolUse("Read", {"file_path": f"{ROOT}/{number}.py"}, "x") for number in range(99)
    ])  # fmt: skip
    made = ended(many, observations, "\n".join(f"- Added number {n}" for n in range(999)))
    assert sum(len(str(value)) for value in made.brief.values()) < 3_000
    assert sum(len(str(value)) for value in made.detailed.values()) < 12_000


@table(
    ("reply", "learned", "decided", "next_steps", "questions"),
    [
        ("Next: wire the flag into the installer.", [], [], ["wire the flag into the installer."], []),
        ("We still need to backfill old rows.", [], [], ["We still need to backfill old rows."], []),
        ("The branch is not yet pushed.", [], [], ["The branch is not yet pushed."], []),
        ("剩下：补充文档和测试", [], [], ["补充文档和测试"], []),
        ("还需要更新部署脚本。", [], [], ["还需要更新部署脚本。"], []),
        ("### Remaining\n- `a.go`\n- Port the importer", [], [], ["Port the importer"], []),
        ("**Simplified remaining tests**:\n- `A` now uses `B`", [], [], [], []),
        ("Would you like me to open a pull request?", [], [], [],
         ["Would you like me to open a pull request?"]),
        ("Does that help?", [], [], [], []),
        ("Tags are **not** pushed by default.", ["Tags are not pushed by default."], [], [], []),
        ("The guide is 40 pages, ready for use by sailors.", [], [], [], []),
        ("Next:\n- Draw the map\n- Owner: Harbour Master", [], [], ["Draw the map"], []),
        ("Pending:\n- Paint it\n\nThat is against the design.", [], [], ["Paint it"], []),
        ("A tag only where the commit is not yet pushed.", [], [], [], []),
        ("The thread on mast 12 is still open - want me to answer it?", [], [], [],
         ["The thread on mast 12 is still open - want me to answer it?"]),
        ("The map is untracked. Want me to commit it?", [], [], ["The map is untracked."],
         ["Want me to commit it?"]),
        ("`a1` itself hasn't been pushed yet — only `b2` was pushed.", [], [],
         ["`a1` itself hasn't been pushed yet — only `b2` was pushed."], []),
        ("Now you should:\n1. **Draw a map** — by hand\n2. **Hang it up** — in the office", [], [],
         ["Draw a map — by hand", "Hang it up — in the office"], []),
        ("The mast decision is sound.", [], [], [], []),
        ("Not pushed — say the word if you want that too.", [], [], [],
         ["Not pushed — say the word if you want that too."]),
        ("The fix (on `next`):\n- That showed four boats", [], [], [], []),
        ("The decision is to keep the oak mast.", [], ["The decision is to keep the oak mast."], [], []),
        ("Do you want a flag or a variable?", [], [], [], ["Do you want a flag or a variable?"]),
        ("用参数还是环境变量？", [], [], [], ["用参数还是环境变量？"]),
        ("It turned out that the lock was never released.",
         ["It turned out that the lock was never released."], [], [], []),
        ("原因是缓存键没有包含租户。", ["原因是缓存键没有包含租户。"], [], [], []),
        ("We decided to keep SQLite.", [], ["We decided to keep SQLite."], [], []),
        ("We chose polling over webhooks.", [], ["We chose polling over webhooks."], [], []),
        ("注意：索引在行数少时反而更慢。", ["注意：索引在行数少时反而更慢。"], [], [], []),
        ("注意：请先备份。", [], [], [], []),
        ("我们决定使用本地数据库。", [], ["我们决定使用本地数据库。"], [], []),
        ("If it fails, you could restart it.", [], [], [], []),
        ("Two parts are slow because of the index:\n- the import\n- the search",
         ["Two parts are slow because of the index: the import; the search"], [], [], []),
    ],
)  # fmt: skip
def test_lines_are_known_by_their_words_in_both_languages(
    reply: str, learned: list[str], decided: list[str], next_steps: list[str], questions: list[str]
) -> None:
    found = read_reply(reply)
    assert (found.learned, found.decided) == (learned, decided)
    assert (found.next_steps, found.questions) == (next_steps, questions)


@table(
    ("reply", "left"),
    [
        ("The lamp is lit. Ready to push when you are.", ["Ready to push when you are."]),
        ("Lit on `bow`: `1a2b3c4`. Push whenever ready.", ["Push whenever ready."]),
        ("Lit it. If you'd like, I can note it in the log.", ["If you'd like, I can note it in the log."]),
        ("Would you like me to:\n1. Take the lamp down?\n2. Light another?",
         ["Would you like me to: Take the lamp down?; Light another?"]),
        ("Two lamps are left as they are — flagged, your call.",
         ["Two lamps are left as they are — flagged, your call."]),
        ("Lit.\n\n## Loose ends\n- The stern lamp wasn't lit in the dark. Light it if you want.",
         ["The stern lamp wasn't lit in the dark. Light it if you want."]),
        ("3 tests are failing with `oil=0`.", ["3 tests are failing with `oil=0`."]),
        ("The threads are still unanswered.", ["The threads are still unanswered."]),
        ("I can't hang it yet, the mast isn't there.", ["I can't hang it yet, the mast isn't there."]),
        ("要我提交吗？", ["要我提交吗？"]),
        # What only explains, is in the middle of it, or offers nothing is none.
        ("The test was failing because of the oil. It burns.", []),
        ("Once the mast is merged, the lamp burns by itself.", []),
        ("Should I say how? It burns oil. The oil is of rape. It is kept below. There is enough.", []),
        ("Is there anything else?", []),
    ],
)  # fmt: skip
def test_what_a_reply_offers_or_says_at_its_end_is_left(reply: str, left: list[str]) -> None:
    found = read_reply(reply)
    assert [*found.next_steps, *found.questions] == left


def test_a_short_question_is_told_with_what_was_asked_for() -> None:
    assert read_reply("It is drawn. Ready to build?", "Draw a boat of oak").questions == [
        "Ready to build? (Draw a boat of oak)"
    ]
    assert read_reply("It is drawn. Shall I commit it?", "Draw a boat of oak").questions == [
        "Shall I commit it?"
    ]


def test_what_was_asked_last_and_not_answered_is_left_in_place_of_what_was_offered() -> None:
    turns = [Turn(1, read_reply("The map is untracked. Want me to commit it?"))]
    prompts = ["draw a map", "no, first add the western pier"]
    made = summarize(prompts, [], turns, unanswered=prompts[-1]).detailed
    assert made["next_steps"] == (
        "- Asked, not answered: no, first add the western pier\n- The map is untracked."
    )
    assert summarize(prompts, [], turns).detailed["next_steps"] == (
        "- The map is untracked.\n- Open question: Want me to commit it?"
    )


@table(
    ("reply", "completed"),
    [
        ("**Removed**\n- `lamp.py` and `oil.png` — the lamp and its oil",
         ["Removed: `lamp.py` and `oil.png` — the lamp and its oil"]),
        ("**Simplified the lamp**\n- One wick: it takes rape oil\n- Dropped the second wick",
         ["Dropped the second wick"]),
        ("I've updated the plan of the lamp.\n\n**Changed**\n- Enabled by default when it is dark",
         ["I've updated the plan of the lamp."]),
        ("Given the tests pass with oil, this mends nothing.", []),
        ("The names are read after foreign ones have been spliced in.", []),
        ("I verified both sides: four lamps are lit.", []),
        ("The list says \"Tests have been added\", which is doubtful.", []),
    ],
)  # fmt: skip
def test_what_describes_plans_or_finds_is_not_done(reply: str, completed: list[str]) -> None:
    assert read_reply(reply).completed == completed


def test_what_was_made_and_removed_again_is_not_done() -> None:
    made = SummaryLines(
        completed=["Created `pier/lamp_test.py` with two tests", "Added `Lamp` to `bow.py`"]
    )
    later = SummaryLines(completed=["Removed: `lamp_test.py` - covered by others"])
    done = summarize(["light it"], [], turns=[Turn(1, made), Turn(2, later)]).detailed["completed"]
    assert done == "- Added `Lamp` to `bow.py`\n- Removed: `lamp_test.py` - covered by others"


def test_the_answer_to_a_question_is_what_was_learned() -> None:
    reply = "The importer reads it once at start. Let me know if you want more."
    assert read_reply(reply, "where is the setting read?").learned == [
        "The importer reads it once at start."
    ]
    assert read_reply(reply, "tidy up").learned == []


@table(
    "reply",
    [
        "The list is sorted now.\n\n## Next\n- Type a number, or `q` to exit\n- `/list all` to filter",
        "## Next\n- <sub>`/clear` first for a fresh start</sub>",
        "The list - Changed the order of names. It is wide. The tree: added a name, still needs a cast.",
        "The list is sorted now.\n\nReady to go on whenever you say the word.",
        "The build is green.\n\n## Remaining\n- `list.py` - Changed the order of names, still needs a cast",
    ],
)  # fmt: skip
def test_what_may_be_typed_or_was_written_down_is_not_left(reply: str) -> None:
    assert read_reply(reply).next_steps == []


@table(
    "line",
    [
        "I did not run the tests because this is a change of words.",
        "The main checkout still has the same two files, and it remains behind origin.",
    ],
)
def test_how_things_stand_is_nothing_left(line: str) -> None:
    assert read_reply(line).next_steps == []


@pytest.mark.parametrize(
    ("reply", "learned"),
    [
        ("I see the issue. The lamp is dark because the oil froze.",
         ["The lamp is dark because the oil froze."]),
        ("Ah yes, you're right - I had it backwards! The helm is never used.", ["The helm is never used."]),
        ("Great - let me check. The keel is actually of oak.", ["The keel is actually of oak."]),
        ("This is a real problem. I see that the rope is likely too short.",
         ["I see that the rope is likely too short."]),
        ("You're right, the anchor is actually on board.", ["The anchor is actually on board."]),
    ],
)  # fmt: skip
def test_what_only_goes_along_with_the_user_is_nothing_learned(reply: str, learned: list[str]) -> None:
    assert read_reply(reply).learned == learned
    assert read_reply("Good point - let me check.", "Is the keel of oak?").learned == []


def test_what_waits_for_leave_is_not_done() -> None:
    lines = read_reply(
        "The cache grows without bounds.\n\n## Changes\n- `cache.py`: remove the global table\n"
        "- Kept at most 100 entries\n\nWant me to go ahead and implement this?"
    )
    assert (lines.completed, lines.next_steps) == ([], [])


def test_nothing_that_was_denied_is_done() -> None:
    assert read_reply("No cache and no retry has been implemented.").completed == []


def test_an_accepted_plan_is_asked_for_by_its_title() -> None:
    plan = "Implement the following plan:\n\n# Light the bow\n\n## Context\n- dark"
    assert summarize([plan], []).detailed["request"] == "Light the bow"


@table(
    "line",
    [
        "All my domain tasks are complete.",
        "Task #17 (UI-6) is complete.",
        "Completed: 6/29 (DL-1, DL-4)",
        "I've successfully completed both assigned tasks",
    ],
)
def test_that_tasks_are_done_tells_nothing_of_them(line: str) -> None:
    assert is_trivial(line)
    turn = Turn(1, SummaryLines(completed=[line, "Lit the bow"]))
    assert summarize(["the bow"], [], turns=[turn]).detailed["completed"] == "Lit the bow"


def test_what_is_said_of_remaining_files_or_to_others_is_nothing_left_or_done() -> None:
    reply = (
        "Added types.\n\n**Remaining Files:**\n- lamp.py: `Lamp` interface\n\n"
        "Meanwhile, let me tell the helm to stand by once the lamp is fixed."
    )
    lines = read_reply(reply)
    assert (lines.completed, lines.next_steps) == (["Added types."], [])


@table(
    ("reply", "prompt"),
    [
        ("## Progress\n7 of 9 piers\n\n## Key Decisions\n- Oak masts everywhere", "go on"),
        ("## Recent Work\n- rigged the mast\n\n## Decisions\n- Two lamps per mast", "continue"),
        ('Decisions:\n- The harbour master wrote: "every boat carries two lamps at night"', "go on"),
        ("Three ropes moved between the groups we agreed on Monday.", "go on"),
        ("The crane decided to stop at noon.", "go on"),
        ("## Decisions\n- Two lamps per mast", "what was decided about lamps?"),
    ],
)
def test_who_reads_aloud_what_was_decided_decides_nothing(reply: str, prompt: str) -> None:
    assert read_reply(reply, prompt).decided == []


@table(
    ("reply", "decided"),
    [
        ("I rigged it. We decided to use oak.", ["We decided to use oak."]),
        ("Chose oak over pine because it floats.", ["Chose oak over pine because it floats."]),
        ("## Design decisions\n- Two lamps per mast", ["Two lamps per mast"]),
        ("桅杆我们决定用橡木。", ["桅杆我们决定用橡木。"]),
    ],
)
def test_who_decides_says_so(reply: str, decided: list[str]) -> None:
    assert read_reply(reply, "can you rig the mast?").decided == decided


def test_each_answer_is_a_decision_and_none_is_cut_in_halves() -> None:
    questions = [
        UserQuestion("Which oil should the lamps burn?", (("Rape oil", ""),), "Rape oil"),
        UserQuestion("May I remove the old lamp?", (("Yes", ""),), "Yes"),
        UserQuestion("How many ropes shall a boat carry?", (("Two", ""), ("Three", "")), "Two"),
    ]
    assert choices_in(told(questions)) == [
        "Which oil should the lamps burn? → Rape oil",
        "How many ropes shall a boat carry? → Two",
    ]
    cut = told(questions).replace("* Two", "…\n* Two")
    assert choices_in(cut) == ["Which oil should the lamps burn? → Rape oil"]

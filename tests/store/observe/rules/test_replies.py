"""What of an agent's words becomes an observation, of which type, under which title."""

import pytest

from memtui.store.observe.rules.replies import LONGEST, LONGEST_REMARK, ReplyFields, reply_fields

OPTIONS = """\
Yes, there are three ways:

**Option A: Drop `setUp`** (simplest)
- Follows what `test_login.py` does

**Option B: Give `connect` a path**
- Change it to `connect(path: Path) -> Session`

**Option C: Lock the working directory**

Option A is the pragmatic choice.

Which one do you prefer?
"""

MESSAGE = """\
Here's the commit message:

```
feat(queue): add --no-retry to the worker

Sets queue.retry_disabled, read by should_retry() in worker.py.
```

Shall I commit it?
"""


def fields(text: str, prompt: str = "", *, is_final: bool = True) -> ReplyFields:
    found = reply_fields(text, prompt, is_final=is_final)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "Done.", "Done!", "All done, all tests pass.", "Perfect! All tests are passing now.",
        "Pushed successfully.", "Hello! How can I help you today?", "You're welcome!",
        "Let me look at the configuration first.", "Now I'll run the tests.",
        "好的，我来看看。", "完成。", "已完成！测试全部通过。", "让我先检查一下配置文件。", "",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_final", [True, False])
def test_chatter_is_no_memory(text: str, is_final: bool) -> None:
    assert reply_fields(text, is_final=is_final) is None


@pytest.mark.parametrize(
    "text",
    [
        "Now let me update the second file, `src/queue.py`, as well:",
        "Tests pass. Let me commit and then update the help text in `cli.py`.",
        "Run the tests in `tests/queue` to see that they fail.",
        "Good point — `worker.py` is large already. Let me create a file for it:",
        "现在让我来修改 `worker.py`。",
        "Would you like me to look at `worker.py`, because it may be affected?",
    ],
)
def test_what_is_said_on_the_way_is_none_where_it_finds_nothing(text: str) -> None:
    assert reply_fields(text, is_final=False) is None


@pytest.mark.parametrize(
    ("text", "title", "narrative"),
    [
        (
            "The lint error is older than this (in `queue_test.py`, not my change). Let me run it again.",
            "The lint error is older than this (in queue_test.py, not my change)",
            None,
        ),
        (
            "Found it! The default timeout is 0, which means the client waits forever. I'll set it.",
            "The default timeout is 0, which means the client waits forever",
            None,
        ),
        (
            "I see the problem. The banner is built in `hooks.py:266` by `greet()`. Let me check there.",
            "The banner is built in hooks.py:266 by greet()",
            None,
        ),
        ("找到原因了。缓存没有失效，因为 `ttl` 被设成了 0。让我修改一下。",
         "缓存没有失效，因为 ttl 被设成了 0", "找到原因了。 缓存没有失效，因为 `ttl` 被设成了 0。"),
    ],
)  # fmt: skip
def test_a_finding_before_an_edit_is_kept_without_what_comes_next(
    text: str, title: str, narrative: str | None
) -> None:
    assert fields(text, is_final=False) == {
        "type": "finding", "title": title, "narrative": narrative,
    }  # fmt: skip


def test_options_and_the_open_question_are_part_of_it() -> None:
    found = fields(OPTIONS, "is there any other way?")
    assert found["type"] == "plan"
    assert found["title"].startswith("Options: Drop `setUp`")
    assert "Give `connect` a path" in found["title"]
    for part in ("connect(path: Path) -> Session", "Option A is the pragmatic choice", "Which one"):
        assert part in (found["narrative"] or "")


def test_what_stands_in_a_fence_is_part_of_it() -> None:
    found = fields(MESSAGE)
    assert "feat(queue): add --no-retry" in found["title"]
    assert "queue.retry_disabled" in (found["narrative"] or "")
    assert "should_retry()" in (found["narrative"] or "")
    assert "Shall I commit it?" in (found["narrative"] or "")


def test_long_code_is_folded_and_a_short_command_is_not() -> None:
    code = "\n".join(f"    line_{number} = {number}" for number in range(60))
    text = f"The parser is in `parse.py`:\n\n```python\n{code}\n```\n\nRun it:\n```sh\nmake parse\n```"
    narrative = fields(text)["narrative"] or ""
    assert "line_0" in narrative
    assert "line_30" not in narrative
    assert "(60 lines of python)" in narrative
    assert "make parse" in narrative


@pytest.mark.parametrize(
    ("text", "prompt", "kind"),
    [
        ("We decided to keep SQLite, since one writer is enough.", "", "decision"),
        ("**Verdict: APPROVE**\n\nThe change handles dates that cross midnight.", "", "finding"),
        ("我们决定使用 Redis 作为缓存后端，不再用内存表。", "", "decision"),
        ("Added `retry` to `client.py` and covered it by a test.", "add a retry", "change"),
        ("A Step is ephemeral, a Checkpoint is kept on the branch.", "what is a Step?", "answer"),
        ("The build breaks because npm 8 can't read the lock file.", "mend the build", "finding"),
        ("## Plan\n1. Move `a.py`\n2. Rename the flag\n3. Drop the old one", "", "plan"),
    ],
)
def test_its_type_is_what_it_does(text: str, prompt: str, kind: str) -> None:
    assert fields(text, prompt)["type"] == kind


def test_its_title_is_what_it_says_and_no_bullet_or_courtesy() -> None:
    text = "Done.\n\n- All tests pass.\n- `parse()` now skips empty lines, since these broke the count.\n"
    assert fields(text)["title"] == "parse() now skips empty lines, since these broke the count"


@pytest.mark.parametrize("is_final", [True, False])
def test_a_long_reply_keeps_its_beginning_and_its_end(is_final: bool) -> None:
    middle = "\n\n".join(f"Paragraph {number} is about `module_{number}`." for number in range(400))
    text = f"The cause is a stale lock.\n\n{middle}\n\nWhat is left: remove the lock by hand."
    narrative = fields(text, is_final=is_final)["narrative"] or ""
    assert len(narrative) <= (LONGEST if is_final else LONGEST_REMARK)
    assert narrative.startswith("The cause is a stale lock.")
    assert narrative.endswith("remove the lock by hand.")
    assert "…" in narrative


@pytest.mark.parametrize("piece", ["so ", "now ", "- ", "**a** ", "`", "好的，", "Option 1: ", "I "])
def test_hostile_words_are_read_to_their_end(piece: str) -> None:
    found = reply_fields(piece * 20_000, is_final=False)
    assert found is None or len(found["narrative"] or "") <= LONGEST_REMARK


@pytest.mark.parametrize(
    ("text", "type"),
    [
        # What a test expects nobody decided.
        ("The test expects:\n- One row a user\n- Should not show archived users in `list.py`", "finding"),
        # What is advised nobody has taken yet.
        ("We should not show archived users in `list.py`.", "finding"),
        ("I'd recommend Redis for the cache, since `lru` grows.", "finding"),
        ("So we should write a note for any of those we choose to work on in `lru`.", "finding"),
        ("建议使用 Redis 作为缓存后端。", "finding"),
        ("We went with Redis for the cache, since `lru` grows.", "decision"),
        ("Decision: keep `mast.py` of oak, since it floats.", "decision"),
        ("The mast decision isn't only for new boats: `mast.py` asks it at each start.", "finding"),
        ("Winston the carpenter: the decision is sound, `mast.py` may stay.", "finding"),
        ("Needs a decision: paint `mast.py` before the reset, or move the reset.", "finding"),
        ("Implementation of KB-12 is complete. `list.py` sorts by name.", "change"),
        ("All 3 conflicts resolved:\n- `a.py` — kept ours\n- `b.py` — took theirs", "change"),
        ("- `list.py:3` - Added `sort`\n- `list.py:9` - Removed `order`", "change"),
        ("已将 `pool_size` 从 5 改为 20。", "change"),
    ],
)  # fmt: skip
def test_a_type_is_told_by_who_says_what(text: str, type: str) -> None:
    assert fields(text)["type"] == type


def test_a_decision_has_the_sentence_that_decides_as_its_title() -> None:
    found = fields(
        "When `sync()` fails, the error of `lock.py` never reaches the user because it is swallowed. "
        "We chose a banner for it."
    )
    assert (found["type"], found["title"]) == ("decision", "We chose a banner for it")


def test_what_is_said_of_an_option_is_none() -> None:
    found = fields(OPTIONS.replace("pragmatic choice.", "pragmatic choice.\n\nOption B is cleaner."))
    assert found["title"] == "Options: Drop `setUp` (simplest); Give `connect` a path; Lock the…"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The lamp is dark because the oil froze in the pipe that leads below the deck, which nobody heats.",
         "The lamp is dark because the oil froze in the pipe that leads below…"),
        ("The issue is:\n\n- The oil froze in the pipe `p1`\n- Nobody heats it",
         "The oil froze in the pipe p1"),
        ("## Pending lamps\n\n| # | Lamp |\n|---|---|\n| 1 | the bow of oak |\n| 2 | the stern of pine |",
         "Pending lamps: 2 items"),
    ],
)  # fmt: skip
def test_a_title_is_short_and_no_fragment(text: str, title: str) -> None:
    assert fields(text)["title"] == title

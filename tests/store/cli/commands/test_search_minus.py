"""What begins with a minus on the command line: a word to leave out, or a flag."""

import pytest

from memtui.store import Store

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "token with redis", "--type", "bugfix", "--narrative", "a draft")
    mem.ok("add", "token by cookie", "--type", "note")
    mem.ok("pin", "1")


@pytest.mark.parametrize(
    ("words", "refs"),
    [
        (["token", "-redis"], ["2"]),
        (["-redis", "token"], ["2"]),
        (["-redis"], ["2"]),
        (['-"with redis"'], ["2"]),
        (["-type:note"], ["1"]),
        (["-narrative:draft"], ["2"]),
        (["-is:pinned"], ["2"]),
        (["-redis", "--", "token"], ["2"]),
        (["--", "token", "-redis"], ["2"]),
        (["--", "-redis"], ["2"]),
        (["-nothing", "-redis"], ["2"]),
    ],
)
@pytest.mark.sampled
def test_a_word_may_begin_with_a_minus(filled: Mem, words: list[str], refs: list[str]) -> None:
    lines = filled.ok("search", "--exact", *words).splitlines()
    assert [line.split("\t")[0] for line in lines] == refs


@pytest.mark.parametrize(
    "line",
    [
        ["token", "-zebra", "-n", "1"],
        ["-n", "1", "token", "-zebra"],
        ["token", "-n1", "-zebra"],
        ["--limit=1", "-zebra", "token"],
        ["-zebra", "--limit", "1", "token"],
        ["-n", "1", "--", "token", "-zebra"],
    ],
)
def test_the_limit_may_stand_anywhere(filled: Mem, line: list[str]) -> None:
    assert len(filled.ok("search", *line).splitlines()) == 1


def test_flags_with_a_value_may_stand_after_such_words(filled: Mem) -> None:
    elsewhere = str(filled.db.with_name("elsewhere.db"))
    filled.ok("add", "token elsewhere", "--db", elsewhere)
    with Store.open(filled.db) as store:
        store.searches.save("-odd name", "token")
    (found,) = filled.json("search", "-redis", "--db", elsewhere, "token")
    assert found["title"] == "token elsewhere"
    (found,) = filled.json("search", "-redis", "--saved", "-odd name")
    assert found["title"] == "token by cookie"


def test_a_process_takes_them_too(filled: Mem) -> None:
    assert filled.process("search", "token", "-redis").stdout.startswith(b"2\t")


@pytest.mark.parametrize("flag", ["-n", "--limit", "--db", "--saved"])
def test_a_flag_without_its_value_is_refused(filled: Mem, flag: str) -> None:
    assert "requires an argument" in filled.refused("search", "token", flag, code=2)


@pytest.mark.parametrize("flag", ["--nonsense", "-n=0", "-n0"])
def test_what_is_written_like_a_flag_is_no_word(filled: Mem, flag: str) -> None:
    assert filled("search", "token", flag).exit_code == 2


def test_where_a_minus_leaves_out_all_that_is_found_it_is_said(mem: Mem) -> None:
    mem.ok("add", "Clean the folder with rm -rf build before tagging")
    told = mem("search", "--exact", "rm", "-rf", "build").stderr
    assert 'What holds "rf" was left out: 1 memory has all else.' in told
    assert "left out" not in mem("search", "--exact", "rm", "nowhere", "-rf").stderr
    assert mem.ok("search", "--exact", "rm", '"-rf"', "build").startswith("1\t")

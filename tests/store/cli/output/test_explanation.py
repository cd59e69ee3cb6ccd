"""`mem search --explain`: what was understood, and why each hit is one."""

import pytest

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok(
        "add", "Refresh token expired", "--narrative", "The token was refreshed by a token service",
        "--fact", "token TTL is 24 h", "--at", "2026-02-18",
    )  # fmt: skip
    mem.ok("add", "The metatoken splits", "--narrative", "A clock drifted.")
    for number in range(4):
        mem.ok("add", f"Something else {number}")


def test_it_tells_what_was_understood(filled: Mem) -> None:
    query = 'token OR clock -zebra title:expired type:bugfix since:2026-02-18 "a b" is:pinned'
    result = filled("search", query, "--explain")
    for line in (
        'find "token" or "clock"', 'find "expired" in title', 'find "a b"', 'without "zebra"',
        "type is bugfix", "only pinned", "from 2026-02-18 00:00", "best first",
    ):  # fmt: skip
        assert line in result.stderr.splitlines()
    document = filled.json("search", query, "--explain")
    assert document["hits"] == []
    assert document["understood"]["excluded"] == [{"text": "zebra", "field": None, "phrase": False}]
    assert document["understood"]["filters"] == [{"name": "type", "values": ["bugfix"], "negated": False}]


def test_it_tells_which_time_is_no_filter(filled: Mem) -> None:
    for query, unapplied in (("the token of 2019-03", "of 2019-03"), ("the token on 2026-02-18", None)):
        understood = filled.json("search", query, "--explain")["understood"]
        assert understood["unapplied"] == unapplied
        assert (understood["since"] is None) == (unapplied is not None)
        assert filled.json("search", query, "--facets", "--explain")["understood"] == understood


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("token", "best first"),
        ("token sort:recent", "newest first"),
        ("type:note", "newest first"),
        ("token sort:pinned", "pinned first, best first"),
        ("sort:pinned", "pinned first, newest first"),
    ],
)
def test_it_tells_the_order(filled: Mem, query: str, order: str) -> None:
    assert order in filled("search", query, "--explain").stderr.splitlines()


def test_it_tells_when_the_order_is_by_time_in_part(filled: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    assert filled.json("search", "token", "--explain")["ranked"] is None
    for number in range(3):
        filled.ok("add", f"token {number}")
    monkeypatch.setattr("memtui.store.search.matching.NEWEST_RANKED", (2,))
    assert filled.json("search", "token", "--explain")["ranked"] == 2
    told = filled("search", "token", "--explain").stderr.splitlines()
    assert "the newest 2 best first, then the rest newest first" in told


def test_each_hit_has_its_rank_and_its_terms(filled: Mem) -> None:
    first, second = filled.json("search", "token", "--explain")["hits"]
    assert [first["ref"], second["ref"]] == ["1", "2"]
    (term,) = first["why"]["terms"]
    assert first["why"].items() >= {"rank": 1, "tier": "exact", "score": first["score"]}.items()
    assert (term["term"], term["columns"]) == ("token", {"title": 1, "narrative": 2, "facts": 1})
    assert term["score"] == pytest.approx(first["score"])
    assert second["why"] == {
        "rank": 2,
        "tier": "exact",
        "score": 0.0,
        "terms": [{"term": "token", "columns": {"title": 1}, "score": None}],
    }


def test_the_parts_of_a_score_are_its_sum(filled: Mem) -> None:
    (hit,) = filled.json("search", "token expired service", "--explain")["hits"]
    parts = [term["score"] for term in hit["why"]["terms"]]
    assert len(parts) == 3
    assert sum(parts) == pytest.approx(hit["why"]["score"]) == pytest.approx(hit["score"])


def test_people_read_it_beside_the_hits(filled: Mem) -> None:
    result = filled("search", "token", "--explain")
    plain = filled("search", "token")
    assert result.stdout == plain.stdout
    score = f"{filled.json('search', 'token')[0]['score']:.2f}"
    lines = result.stderr.splitlines()
    assert lines[2:] == [
        f"1. 1  exact, score {score}  Refresh token expired",
        f'{score:>8}  "token" in title 1, narrative 2, facts 1',
        "2. 2  exact, not ranked  The metatoken splits",
        '       -  "token" in title 1, only inside words',
    ]


def test_a_related_hit_tells_its_tier_and_its_own_words(filled: Mem) -> None:
    (hit,) = filled.json("search", "refreshing drifts", "--explain", "-n", "1")["hits"]
    assert hit["why"]["tier"] == "related"
    assert hit["why"]["terms"]


def test_it_adds_nothing_to_hits_without_it(filled: Mem) -> None:
    assert all("why" not in hit for hit in filled.json("search", "token"))


def test_it_tells_what_a_related_hit_s_score_is_made_of(filled: Mem) -> None:
    (hit, *_) = filled.json("search", "how was a metatokens quokka splitting", "--explain")["hits"]
    assert hit["tier"] == "related"
    assert {"words", "n-grams"} <= hit["why"]["parts"].keys()
    assert sum(hit["why"]["parts"].values()) == pytest.approx(hit["score"])
    told = filled("search", "how was a metatokens quokka splitting", "--explain").stderr
    assert "related, score 1.00 (words 0." in told
    assert " + n-grams 0." in told

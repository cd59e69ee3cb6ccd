"""A question's related memories: in which order they come, and what of the question is no syntax."""

from datetime import datetime, timedelta

import pytest

from memtui.store import Hit, Store

DAY = timedelta(days=1)
TODAY = datetime.now().replace(hour=12, minute=0, second=0, microsecond=0)


def ms(at: datetime) -> int:
    """A local time in ms since the epoch."""
    return round(at.timestamp() * 1_000)


def remember(store: Store, *titles: str, session: str = "c-1", at: datetime | None = None) -> None:
    """An observation of each title."""
    for title in titles:
        store.observations.add(session, title=title, at=ms(at) if at else None)


def asked(store: Store, question: str) -> list[Hit]:
    """The hits of a question, related ones too."""
    return store.find(question).page(related=True).hits


def titles(hits: list[Hit]) -> list[str]:
    """What they are called."""
    return [hit.row.title for hit in hits]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("缓存为什么失效了？", {"缓存失效", "緩存過期"}),
        ("緩存為什麼過期了？", {"緩存過期", "缓存失效", "令牌过期"}),
        ("如何让令牌过期", {"令牌过期", "緩存過期"}),
    ],
)
def test_chinese_question_words_say_nothing(store: Store, question: str, words: set[str]) -> None:
    remember(
        store, "缓存失效", "緩存過期", "令牌过期", "为什么要这样", "為什麼要這樣", "存为样", "了解如何"
    )
    assert set(titles(asked(store, question))) == words


def test_chinese_question_words_count_where_there_are_no_others(store: Store) -> None:
    remember(store, "他问了为什么呢", "别的")
    assert titles(asked(store, "为什么")) == ["他问了为什么呢"]


def test_pieces_of_words_decide_between_equals(store: Store) -> None:
    remember(store, "worker of the authenticator", "worker of the unrelated one")
    remember(store, *["another matter"] * 8, session="c-2")
    found = asked(store, "why did authentication of every worker stop")
    assert titles(found) == ["worker of the authenticator", "worker of the unrelated one"]
    assert "n-grams" in dict(found[0].parts)


def test_what_stands_beside_the_words_of_a_question_comes_before_what_stands_alone(store: Store) -> None:
    remember(store, "the gateway is slow", "gateway timeouts and retries", session="c-1")
    remember(store, "the gateway was cold", session="c-1")
    remember(store, "the gateway was gold", session="c-2")
    remember(store, *["another matter"] * 8, session="c-3")
    order = titles(asked(store, "which gateway has timeouts after retries today"))
    assert order.index("the gateway was cold") < order.index("the gateway was gold")


def test_a_session_of_one_memory_is_not_favoured(store: Store) -> None:
    remember(store, "the lockfile broke", "lockfile mended again", session="c-1")
    remember(store, "the lockfile sank", session="c-2")
    remember(store, *["another matter"] * 8, session="c-3")
    shares = {hit.row.title: dict(hit.parts)["session"] for hit in asked(store, "why lockfile quokka")}
    assert shares["the lockfile broke"] > shares["the lockfile sank"]


def test_what_was_added_by_hand_is_no_session(store: Store) -> None:
    for title in ("lockfile one", "lockfile two"):
        store.observations.add(None, title=title)
    assert all("session" not in dict(hit.parts) for hit in asked(store, "why lockfile quokka"))


@pytest.mark.parametrize(
    ("question", "date", "at"),
    [
        ("what broke the deployment yesterday", "yesterday", TODAY - DAY),
        ("what broke the deployment yesterday?", "yesterday", TODAY - DAY),
        ("deployment since yesterday", "yesterday", TODAY - DAY),
        ("昨天 deployment 怎么了", "昨天", TODAY - DAY),
        ("上周deployment怎么了", "上周", TODAY - timedelta(days=TODAY.weekday() + 3)),
        ("2019年3月 deployment 坏了", "2019-03", datetime(2019, 3, 5, 12)),
        ("which deployment broke in March 2019", "2019-03", datetime(2019, 3, 5, 12)),
        ("which deployment broke on 5 March, 2019", "2019-03-05", datetime(2019, 3, 5, 12)),
        ("which deployment broke in 2019", "2019", datetime(2019, 3, 5, 12)),
    ],
)
def test_the_time_that_a_question_names_is_applied_and_not_searched(
    store: Store, question: str, date: str, at: datetime
) -> None:
    remember(store, "the deployment broke then", at=at)
    remember(store, "the deployment broke", f"{question} spoken of", at=datetime(2018, 8, 8))
    assert {hit.row.title for hit in asked(store, question)} == {"the deployment broke then"}
    [chip] = store.parse(question).chips
    assert chip.label.partition(":")[2] == date
    assert not set(date.split()) & {term.text for term in store.parse(question).terms}


@pytest.mark.parametrize(
    "question",
    [
        *(
            "yesterday",
            "last week",
            "today widget",
            "what may break the deployment",
            "-yesterday what broke it",
        ),
        *(
            'what does "last week" mean for it',
            "call date.today() for what broke",
            "broke AND since yesterday",
        ),
        "a line of a log that was pasted\nbroke on Monday in the night",
        " ".join(["pasted"] * 30) + " yesterday",
        "the warning on measures: may readers see what broke",
        'what broke on "the other" may be gone',
        "what broke in title:night march",
    ],
)
def test_a_time_in_quotes_in_code_and_in_what_is_pasted_is_words(store: Store, question: str) -> None:
    query = store.parse(question)
    assert not query.chips and query.since is None


@pytest.mark.parametrize(
    ("question", "answer", "chance"),
    [
        ("what caused the outage of March 2019", "a full disk caused the outage of March 2019", ()),
        ("when does the certificate expire, in 2019", "the certificate expires in 2019", ()),
        (
            "where are the backups of yesterday",
            "the backups of yesterday are in a bucket",
            ("in a cellar",),
        ),
        ("谁负责三月的迁移", "三月的迁移由小王负责", ()),
        ("昨天的日志放在哪个目录", "昨天的日志压缩以后放在目录里", ("文档放在别处",)),
    ],
)
def test_a_time_that_is_spoken_of_is_searched_as_words(
    store: Store, question: str, answer: str, chance: tuple[str, ...]
) -> None:
    remember(store, answer, at=datetime(2024, 8, 8))
    remember(store, *chance, "so it is", at=TODAY - DAY)
    found = store.find(question)
    assert titles(found.page(related=True).hits)[0] == answer
    assert (found.query.chips, found.query.since, found.query.until) == ((), None, None)
    assert found.query.unapplied in question
    (remark,) = store.remarks(question)
    assert remark.sentence == "Nothing of that time fits as well: all times are searched."


def test_what_was_only_asked_at_other_times_answers_nothing(store: Store) -> None:
    question = "why did the deployment break yesterday"
    remember(store, "the deployment did break at night", at=TODAY - DAY)
    store.prompts.add("c-1", question, at=ms(datetime(2018, 8, 8)))
    assert titles(asked(store, question)) == ["the deployment did break at night"]
    assert store.remarks(question) == ()


@pytest.mark.parametrize("filter", ["since:yesterday", "on:yesterday", "since:2026-01 until:2026-02"])
def test_a_filter_that_was_typed_always_holds(store: Store, filter: str) -> None:
    remember(store, "the deployment broke", at=datetime(2018, 8, 8))
    found = store.find(f"why did the deployment break {filter}")
    assert not found.page(related=True).hits and len(found.query.chips) == len(filter.split())


@pytest.mark.parametrize(
    "question", ["what did we do yesterday?", "since yesterday what was it", "昨天怎么了"]
)
def test_of_a_question_that_asks_for_nothing_else_the_time_is_listed(store: Store, question: str) -> None:
    remember(store, "the deployment broke", "lunch", at=TODAY - DAY)
    remember(store, "what we did do was it", "怎么了", at=datetime(2018, 8, 8))
    assert set(titles(asked(store, question))) == {"the deployment broke", "lunch"}


@pytest.mark.parametrize("query", ["is:deleted", "is:noise", "is:similar:1"])
def test_among_what_is_in_no_index_of_words_the_time_holds(store: Store, query: str) -> None:
    remember(store, "the deployment broke", at=datetime(2018, 8, 8))
    assert store.find(f"{query} why did the deployment break yesterday").query.since is not None


def test_a_day_that_there_is_not_is_a_word(store: Store) -> None:
    query = store.find("why did the deployment break on 2026-02-30").query
    assert query.since is None and query.clauses[-1][0].text == "2026-02-30"


def test_a_month_is_offered_as_a_filter(store: Store) -> None:
    remember(store, "the deployment broke", at=datetime(2025, 5, 5))
    (remark,) = store.remarks("in May", datetime(2026, 2, 18))
    assert remark.meant == "on:2025-05"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Removed docker -e flag", ["Removed the docker -e flag"]),
        ('Revert "Retry the flaky upload"', ["Retry an upload that is flaky"]),
        ("the flaky -wall upload fails", ["Retry an upload that is flaky"]),
    ],
)
def test_pasted_text_is_no_syntax(store: Store, text: str, found: list[str]) -> None:
    remember(store, "Removed the docker -e flag", "Retry an upload that is flaky", "-wall is set")
    assert titles(asked(store, text))[:1] == found


def test_pasted_text_that_leaves_nothing_is_followed_by_its_plain_words_marked(store: Store) -> None:
    remember(store, "Retry an upload that is flaky")
    (hit,) = asked(store, 'Revert "Retry the flaky upload"')
    assert hit.tier == "related"
    told = store.find('Revert "Retry the flaky upload"').why(hit)
    assert {one.term.lower() for one in told.terms} == {"retry", "flaky", "upload"}
    assert not store.find('Revert "Retry the flaky upload"').page().hits


@pytest.mark.parametrize(
    "query",
    [
        '"flaky upload retries now"',
        "title:retry upload flaky quokka zebra -upload",
        "retry flaky quokka again -upload",
        "-upload retry flaky quokka again",
        'retry "no such"',
        'Revert "Retry the flaky upload" project:elsewhere',
    ],
)
def test_what_was_typed_as_a_demand_stays_one(store: Store, query: str) -> None:
    remember(store, "Retry an upload that is flaky")
    assert asked(store, query) == []


def test_a_single_letter_never_excludes(store: Store) -> None:
    remember(store, "an e in it", "run docker -e")
    assert titles(store.find("run -e").page().hits) == ["run docker -e"]
    assert store.parse("docker -e -v -5").excluded == ()
    assert [one.text for one in store.parse('docker -ab -路 -"e"').excluded] == ["ab", "路", "e"]


@pytest.mark.parametrize(
    "question",
    [
        "which layer has the session",
        "how do we pay for it then",
        "where is it sits again quokka",
        "why was the incorrectly made session",
    ],
)
def test_a_question_s_good_words_are_no_typos(store: Store, question: str) -> None:
    remember(store, "later session", "a day of it", "its site", "correctly made")
    assert store.find(question).page().corrections == ()


def test_a_question_s_typos_are(store: Store) -> None:
    remember(store, "the authentication of sessions")
    results = store.find("how does the authentcation quokka break").page()
    assert [(one.typed, one.meant) for one in results.corrections] == [("authentcation", "authentication")]


def test_the_score_is_relative_and_the_sum_of_its_parts(store: Store) -> None:
    for number in range(230):
        remember(store, f"worker {number} retries {'slowly ' * (number % 7)}", session=f"c-{number % 9}")
    hits = store.find("which worker retries quokka").page(limit=230, related=True, fill=230).hits
    assert len(hits) == 230
    assert hits[0].score == pytest.approx(1)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(sum(part for _, part in hit.parts) == pytest.approx(hit.score) for hit in hits)


def test_the_exact_hits_of_a_question_are_those_that_are_found_without_related_ones(store: Store) -> None:
    remember(store, "worker retries in May", "retries of the worker", "worker", "retries", "in May")
    for query in ("worker retries", "worker", "retries in May", "worker -May", "re"):
        both = store.find(query).page(related=True).hits
        assert [hit.row for hit in both if hit.tier == "exact"] == [
            hit.row for hit in store.find(query).page().hits
        ]

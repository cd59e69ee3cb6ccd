"""What hits are worth counts in their order where all hold every word."""

import pytest

from memtui.store import Store
from memtui.store.search.turns import WORTH, kind_of_hit, kind_of_turn, weighed, worth

DAY = 86_400_000
LOG = "\n".join(f"WARN valve host=edge-{number} retry=3" for number in range(20))


@pytest.mark.parametrize(
    ("question", "verdict", "said_next", "kind"),
    [
        ("does the valve leak?", "No, the seal is dry.", "", "answer"),
        ("阀门会漏水吗？", "不会，密封是干的。", "", "answer"),
        ("mend the valve", "The seal is new.", "", "outcome"),
        ("mend the valve", "Shall I take brass or steel?", "brass, and nothing else", "decision"),
        ("阀门怎么修？", "可以用黄铜或者钢。", "用黄铜", "decision"),
        ("the valve is always made of brass", "Noted.", "", "decision"),
        ("from now on take steel for the valve", "The valve is of steel.", "", "change"),
        ("阀门改为钢的", "已经换了。", "", "change"),
        ("lower the pressure of the valve to two bar", "It is two bar.", "", "change"),
        ("the valve: two bar from Monday on", "", "", "change"),
        ("try steel for the valve", "It rusted within a week, so I took it out again.", "", "given up"),
        ("试试钢的阀门", "一周就生锈了,已经撤回。", "", "given up"),
        ("steel instead of brass for the valve", "It rusted; I reverted it.", "", "given up"),
        ("has anybody looked at the valve?", "Still looking at it.", "", "question"),
        ("why does the valve leak?", "", "", "question"),
        ("anything on the valve?", "See the page of its maker.", "", "pointer"),
        (f"output of the run:\n{LOG}", "The valve warns again and again.", "", "log"),
        ("here is the log", "Valve warning. " * 8, "", "log"),
    ],
)
def test_the_kind_of_a_turn_is_told_by_its_texts(
    question: str, verdict: str, said_next: str, kind: str
) -> None:
    assert kind_of_turn(question, verdict, said_next=said_next) == kind


def test_prose_is_no_log() -> None:
    prose = (
        "The valve leaks at its seal because the boiler is hotter than it was built for. "
        "I measured ninety degrees at noon, and sixty in the morning, when nothing leaks. "
        "A seal of silicone would stand that, and the shop around the corner has some."
    )
    assert kind_of_turn("why does the valve leak?", prose) == "answer"


def test_every_kind_fades_but_never_to_nothing() -> None:
    for kind, (weight, half_life) in WORTH.items():
        ages = (0, round(half_life) * DAY, 10_000 * DAY)
        new, old, ancient = (worth(kind, age) for age in ages)
        assert new == weight
        assert new > old > ancient >= weight / 2


def turn(store: Store, name: str, day: int, *said: tuple[str, str]) -> None:
    session = store.sessions.start(name, project="atlas", at=day * DAY)
    for number, (question, verdict) in enumerate(said, 1):
        at = day * DAY + number * 1_000
        store.prompts.add(session, question, prompt_number=number, at=at)
        store.observations.add(session, title=verdict, tool_name="reply", prompt_number=number, at=at + 1)


@pytest.fixture
def spoken_of(store: Store) -> Store:
    """A memory of a valve: one session decides, the others ask, paste and give up."""
    turn(store, "decided", 1, ("boiler valve: it leaks", "The seal is old."), ("take brass", "Done."))
    turn(store, "asked", 2, ("has anybody seen the boiler valve?", "Still looking at the boiler valve."))
    turn(store, "logged", 3, ("log of the boiler valve", "Boiler valve warning. " * 8))
    turn(store, "tried", 4, ("try steel for the boiler valve", "It rusted, so I reverted it."))
    return store


def sessions(store: Store, query: str) -> list[str]:
    hits = store.find(query).page(limit=20, turns=True).hits
    names = [store.sessions.get(hit.turn.session_id).content_session_id for hit in hits if hit.turn]
    return list(dict.fromkeys(names))


def test_what_was_decided_comes_before_what_was_loud(spoken_of: Store) -> None:
    assert sessions(spoken_of, "boiler valve")[0] == "decided"
    assert sessions(spoken_of, "boiler valve")[-1] == "logged"


def test_what_changed_a_decision_comes_before_it(spoken_of: Store) -> None:
    turn(spoken_of, "later", 90, ("boiler valve: from now on take steel", "The valve is of steel."))
    assert sessions(spoken_of, "boiler valve")[:2] == ["later", "decided"]


def test_an_order_that_was_asked_for_stays(spoken_of: Store) -> None:
    newest = ["tried", "logged", "asked", "decided"]
    assert sessions(spoken_of, "boiler valve sort:recent") == newest


def test_no_worth_counts_where_a_phrase_is_asked_for(spoken_of: Store) -> None:
    hits = spoken_of.find('"boiler valve"').page(limit=20, turns=True).hits
    assert not [hit for hit in hits if "worth" in dict(hit.parts)]


def test_a_superseded_fact_comes_last(store: Store) -> None:
    old = store.facts.add("The boiler valve is made of brass")
    new = store.facts.add("The boiler valve is made of steel since May")
    store.supersede(f"f{old.id}", f"f{new.id}")
    hits = store.find("boiler valve").page(turns=True).hits
    assert [hit.row.ref for hit in hits] == [f"f{new.id}", f"f{old.id}"]


def test_the_parts_of_a_score_tell_what_worth_adds(spoken_of: Store) -> None:
    memories = spoken_of.find("boiler valve")
    results = memories.page(turns=True)
    for hit in results.hits:
        parts = dict(memories.why(hit).parts)
        assert hit.score == pytest.approx(sum(parts.values()))
    assert dict(results.hits[0].parts)["worth"] > 0


def test_what_only_checked_something_comes_after_what_was_done(store: Store) -> None:
    row = store.sessions.start("s-1", project="atlas", at=DAY)
    for number, (tool, type) in enumerate((("Bash", "discovery"), ("Edit", "change")), 1):
        store.prompts.add(row, f"go on with part {number}", prompt_number=number, at=number * DAY)
        store.observations.add(
            row, title="Look at the boiler valve", type=type, tool_name=tool,
            event_id=tool, prompt_number=number, at=number * DAY + 1,
        )  # fmt: skip
    # A memory that no tool made is no step.
    store.observations.add("s-2", title="The boiler valve is old", type="discovery", project="atlas")
    hits = store.find("boiler valve").page(limit=20, turns=True).hits
    assert hits[-1].row.ref == "1"


@pytest.mark.parametrize("question", ["what did we decide about the boiler valve", "锅炉阀门的决定"])
def test_what_was_decided_counts_more_where_it_is_asked_for(spoken_of: Store, question: str) -> None:
    hits = spoken_of.find("boiler valve").page(limit=20, turns=True).hits
    plain = {hit.row.ref: hit.score for hit in weighed(hits)}
    asked = {hit.row.ref: hit.score for hit in weighed(hits, asked=question)}
    more = {hit.row.ref for hit in hits if asked[hit.row.ref] > plain[hit.row.ref]}
    assert more == {hit.row.ref for hit in hits if kind_of_hit(hit) == "decision"} != set()

"""How sure a fact is: it grows with what it rests on, whatever the order, each witness once."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.records.rows import FactSource
from memtui.store.tables.fact_sources import MOST_CONFIDENCE, confidence

TOLD = FactSource("", "", "", 0, 0.0)

tellings = st.lists(
    st.builds(
        lambda sure, witnesses, source, number, is_verdict: replace(
            TOLD,
            confidence=sure,
            witnesses=tuple(witnesses),
            source=source,
            native_id=str(number),
            told_at=number,
            is_verdict=is_verdict,
        ),
        st.floats(0, 1),
        st.lists(st.sampled_from("abcd"), max_size=3, unique=True),
        st.sampled_from(["", "c:1"]),
        st.integers(0, 5),
        st.just(False),
    ),
    max_size=6,
)


def told(sure: float, *witnesses: str, source: str = "", verdict: bool = False) -> FactSource:
    return replace(
        TOLD, confidence=sure, witnesses=witnesses, source=source, is_verdict=verdict, native_id="n"
    )


def test_one_telling_is_as_sure_as_it_says_however_much_it_rests_on() -> None:
    assert confidence([told(0.7)]) == 0.7
    assert confidence([told(0.7, "a", "b", "c")]) == 0.7
    assert confidence([told(1.0)]) == 1.0


def test_witnesses_of_their_own_add_up() -> None:
    assert confidence([told(0.7, "a"), told(0.7, "b")]) == 0.91


def test_a_witness_counts_once_at_its_surest() -> None:
    assert confidence([told(0.7, "a"), told(0.4, "a"), told(0.7, "a")]) == 0.7


def test_those_who_agree_are_never_quite_certain() -> None:
    assert confidence([told(0.9, name) for name in "abcdef"]) == MOST_CONFIDENCE
    assert confidence([told(0.995, "a"), told(0.9, "b")]) == 0.995


def test_a_verdict_says_how_sure_each_witness_is() -> None:
    agreed = [told(0.9, "a", source="c"), told(0.9, "b", source="c")]
    assert confidence([*agreed, told(0.5, "a", "b", source="c", verdict=True)]) == 0.75
    assert confidence([*agreed, told(0.5, source="c", verdict=True)]) == 0.75
    assert confidence([told(0.5, source="c", verdict=True)]) == 0.5


@given(tellings, st.randoms())
def test_order_and_repetition_make_no_difference(found: list[FactSource], random: object) -> None:
    again = [*found, *found]
    random.shuffle(again)  # type: ignore[attr-defined]
    assert confidence(again) == confidence(found)


@given(tellings, tellings)
def test_it_only_grows_and_stays_within_bounds(some: list[FactSource], more: list[FactSource]) -> None:
    assert 0 <= confidence(some) <= confidence([*some, *more]) <= 1

"""Pages of hits go on from each other: whatever their size, all of them together are the whole list."""

import random

import pytest

from memtui.store import Store

WORDS = ("alpha", "beta", "gamma", "delta", "cursor", "drift")
QUESTIONS = ("how does the {} {}?", "where is {} and {} {}?")


def fill(store: Store, chance: random.Random) -> None:
    """Memories of few words, so that many are equals; stored in another order than that of their time."""
    with store.transaction():
        for _ in range(chance.choice((30, 90, 280))):
            text = " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))
            session, at = f"c-{chance.randint(1, 4)}", 10**12 + chance.randint(0, 5) * 1_000
            if chance.random() < 0.3:
                store.prompts.add(session, text, at=at)
                continue
            apart = "\n\n".join((text, "x " * 600, chance.choice(WORDS)))
            store.observations.add(
                session,
                title=text,
                narrative=apart if chance.random() < 0.2 else None,
                type=chance.choice(("note", "decision")),
                prompt_number=chance.choice((None, 1, 2, 3)),
                at=at,
            )


def some_query(chance: random.Random) -> str:
    if chance.random() < 0.2:
        return chance.choice(QUESTIONS).format(*chance.choices(WORDS, k=3))
    parts = chance.choices((*WORDS, "urs", "curs0r"), k=chance.randint(1, 2))
    if chance.random() < 0.6:
        parts.append(f"-{chance.choice(WORDS)}")
    if chance.random() < 0.2:
        parts.append("type:note")
    if chance.random() < 0.3:
        parts.append(f"sort:{chance.choice(('recent', 'oldest', 'pinned'))}")
    return " ".join(parts)


@pytest.mark.parametrize("seed", range(8))
def test_pages_of_any_size_are_the_whole_list(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    fill(store, chance)
    for observation in list(store.observations.where("id % 17 = 0")):
        store.observations.pin(observation)
    for _ in range(10):
        query, size = some_query(chance), chance.choice((3, 7, 20, 45))
        turns, related = chance.choice((True, False)), chance.choice((True, False))
        found = store.find(query)

        def page(start: int, limit: int) -> list[str]:
            end = start + limit
            listed = found.page(start, limit, related=related, fill=end, turns=turns)  # noqa: B023
            return [hit.row.ref for hit in listed.hits]

        whole = page(0, 400)
        assert len(set(whole)) == len(whole)
        assert turns or related or set(whole) == set(found.refs())
        assert [ref for start in range(0, 400, size) for ref in page(start, size)] == whole, query

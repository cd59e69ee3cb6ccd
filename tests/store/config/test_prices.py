"""What models' tokens cost: list prices, and the user's own in their place."""

import re
from pathlib import Path

from memtui.store.config.prices import Price, prices
from memtui.store.records.events import Usage

NOWHERE = Path("/nowhere/config.toml")


def test_the_list_says_its_date_and_has_prices_of_each_maker() -> None:
    listed = prices(NOWHERE)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", listed.date)
    for model in ("claude-sonnet-4-5", "gpt-5-codex", "gemini-2.5-pro"):
        assert listed.of(model) is not None
    assert all(0 <= price.input <= price.output for price in listed.models.values())


def test_versions_and_spellings_of_a_model_have_its_price_and_other_models_none() -> None:
    listed = prices(NOWHERE)
    price = listed.of("claude-sonnet-4-5")
    for name in ("claude-sonnet-4-5-20250929", "claude-sonnet-4.5", "anthropic/claude-sonnet-4.5"):
        assert listed.of(name) == price
    assert listed.of("claude-sonnet-4-99") is None and listed.of("") is None


def test_the_users_prices_stand_in_place_of_the_list(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[prices]\n"qwen3:4b" = [0.1, 0.4]\ngpt-4.1 = [1, 2, 0.5, 3]\nwrong = "dear"\n')
    own = prices(path)
    assert own.of("qwen3:4b") == Price(0.1, 0.4, 0.1, 0.1, 0.2)
    assert own.of("gpt-4.1") == Price(1, 2, 0.5, 3, 2)
    assert own.of("wrong") is None and own.of("gpt-5") == prices(NOWHERE).of("gpt-5")
    path.write_text("[prices")
    assert prices(path) == prices(NOWHERE)


def test_a_million_tokens_of_each_kind_cost_their_price() -> None:
    price, million = Price(1, 2, 0.5, 4, 8), 1_000_000
    assert price.dollars(Usage(million)) == 1
    assert price.dollars(Usage(0, million)) == 2
    assert price.dollars(Usage(0, 0, million, million)) == 4.5
    assert price.dollars(Usage(0, 0, 0, 3 * million, million)) == 16


def test_what_claude_keeps_for_an_hour_costs_twice_what_it_reads() -> None:
    listed = prices(NOWHERE)
    claude = [price for name, price in listed.models.items() if name.startswith("claude-")]
    assert all(price.cache_hour == 2 * price.input for price in claude)

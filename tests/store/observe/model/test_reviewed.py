"""What a model makes waits where its user reviews that."""

from pathlib import Path

from memtui.store import Store
from memtui.store.config import ModelSettings
from memtui.store.observe.jobs.job import process
from tests.store.observe.scripted_model import good, said
from tests.store.observe.turns import FIX, take_turn
from tests.store.scripted_server import ScriptedServer


def test_what_a_model_makes_waits_where_its_user_reviews_that(
    store: Store, server: ScriptedServer, settings: ModelSettings, no_configuration: Path
) -> None:
    server.answers = lambda body: said(good(body))
    no_configuration.write_text('[memory]\nreview = "agents"\n', "utf-8")
    take_turn(store, FIX, reply="Fixed it.")
    assert store.reviewing.waiting() == []
    store.sessions.end("c-1")
    process(store, settings)
    waiting = {item.id: item.author for item in store.reviewing.waiting()}
    assert waiting and set(waiting.values()) == {f"model {settings.name}"}
    rows = store.find("is:pending").rows(0, 9)
    assert {row.ref for row in rows} == set(waiting)

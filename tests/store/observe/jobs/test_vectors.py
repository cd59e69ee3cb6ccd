"""Vectors are built by jobs, in the time that they have, and a job is started where some are due."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from memtui.store.leaves.embeddings.building import Builder
from memtui.store.leaves.embeddings.vectors import BUSY, LOCK_NAME, vectors_in

from memtui.store import Store
from memtui.store.capture.hook_process import session_start
from memtui.store.config import EmbeddingsSettings
from memtui.store.database.files.locks import FileLock
from memtui.store.observe.jobs import job
from memtui.store.observe.jobs.job import process, process_at_once, process_briefly, wants_vectors
from memtui.store.platform.paths import make_spool_directory
from tests.conftest import OpenStore
from tests.store.embeddings.models import static_model
from tests.store.observe.turns import FIX, take_turn

pytestmark = pytest.mark.extra("onnx")


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The memories of those background jobs that would have been started."""
    started: list[Path] = []
    monkeypatch.setattr(job, "start_job", started.append)
    return started


@pytest.fixture
def embeddings(no_configuration: Path, tmp_path: Path) -> EmbeddingsSettings:
    """A static model that the configuration names."""
    directory = str(static_model(tmp_path / "tiny"))
    no_configuration.write_text(f'[embeddings]\nprovider = "static"\ndirectory = "{directory}"\n')
    return EmbeddingsSettings("static", directory=directory)


@pytest.fixture
def kept(store: Store, embeddings: EmbeddingsSettings) -> Store:
    """A memory of which vectors are kept, without any yet."""
    store.observations.add(session="s", title="the clock drifts")
    vectors_in(store).keep()
    return store


def test_a_job_builds_vectors_of_what_it_has_made_of_the_queue(
    kept: Store, embeddings: EmbeddingsSettings
) -> None:
    take_turn(kept, FIX)
    done = process(kept, None, embeddings=embeddings)
    assert done.recorded and done.vectors is not None
    records = vectors_in(kept).status(embeddings).total
    assert (done.vectors.records, done.vectors.left) == (records, 0) and records > 2


def test_a_job_builds_where_nothing_else_waits(kept: Store, embeddings: EmbeddingsSettings) -> None:
    done = process(kept, None, embeddings=embeddings)
    assert done.vectors is not None and done.vectors.records == 1
    again = process(kept, None, embeddings=embeddings)
    assert again.vectors is not None and again.vectors.records == 0


def test_a_job_leaves_a_memory_alone_of_which_no_vectors_are_kept(
    store: Store, embeddings: EmbeddingsSettings, jobs: list[Path]
) -> None:
    store.observations.add(session="s", title="the clock drifts")
    assert process(store, None, embeddings=embeddings).vectors is None
    process_briefly(store, 1)
    assert not jobs and not vectors_in(store).are_kept


def test_a_job_without_time_left_builds_nothing(kept: Store, embeddings: EmbeddingsSettings) -> None:
    assert process(kept, None, embeddings=embeddings, seconds=-1).vectors is None
    assert vectors_in(kept).is_due()


def test_a_job_goes_on_where_the_last_one_ended(
    kept: Store, embeddings: EmbeddingsSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        kept.observations.add(session="s", title=f"a clock {number}")
    monkeypatch.setattr(Builder, "_adapt", lambda *_: None)
    late = SimpleNamespace(monotonic=lambda: float("inf"))
    monkeypatch.setattr("memtui.store.leaves.embeddings.building.time", late)
    left = [
        done.vectors.left for _ in range(3) if (done := process(kept, None, embeddings=embeddings)).vectors
    ]
    assert left == [25, 9, 0]


def test_a_job_whose_model_is_gone_tells_so_and_does_the_rest(
    kept: Store, embeddings: EmbeddingsSettings
) -> None:
    (Path(embeddings.directory) / "tokenizer.json").unlink()
    take_turn(kept, FIX)
    done = process(kept, None, embeddings=embeddings)
    assert done.recorded and done.vectors is not None
    assert "has no tokenizer.json" in done.vectors.stopped


def test_two_jobs_do_not_build_at_once(kept: Store, embeddings: EmbeddingsSettings) -> None:
    with FileLock(str(make_spool_directory(kept.path) / LOCK_NAME)):
        done = process(kept, None, embeddings=embeddings)
    assert done.vectors is not None and (done.vectors.stopped, done.vectors.left) == (BUSY, 1)


def test_vectors_that_are_due_start_a_job_and_are_never_built_where_an_agent_waits(
    kept: Store, jobs: list[Path]
) -> None:
    process_briefly(kept, 1)
    assert jobs == [kept.path] and vectors_in(kept).size == 0
    take_turn(kept, FIX)
    process_briefly(kept, 1)
    process_at_once(kept, 1)
    assert jobs == [kept.path] * 3 and vectors_in(kept).size == 0


def test_a_hook_has_a_job_where_vectors_are_due_but_not_where_they_are_whole(
    kept: Store, embeddings: EmbeddingsSettings, jobs: list[Path], no_configuration: Path
) -> None:
    session_start.observe(kept)
    assert not jobs and session_start.wants_vectors(kept)
    vectors_in(kept).build(embeddings)
    assert not session_start.wants_vectors(kept)
    kept.observations.add(session="s", title="tabs indent code")
    assert session_start.wants_vectors(kept)
    no_configuration.write_text("")
    assert not session_start.wants_vectors(kept)


def test_whole_vectors_start_none_until_something_changes(
    kept: Store, embeddings: EmbeddingsSettings, jobs: list[Path]
) -> None:
    vectors_in(kept).build(embeddings)
    process_briefly(kept, 1)
    assert not jobs
    kept.observations.add(session="s", title="tabs indent code")
    process_briefly(kept, 1)
    assert jobs == [kept.path]


def test_another_model_starts_a_job(
    kept: Store, embeddings: EmbeddingsSettings, no_configuration: Path
) -> None:
    vectors_in(kept).build(embeddings)
    assert not wants_vectors(kept)
    with no_configuration.open("a") as file:
        file.write("dimensions = 4\n")
    assert wants_vectors(kept)


@pytest.mark.parametrize(
    "text", ["", "no toml", '[embeddings]\nprovider = "static"', '[embeddings]\nprovider = "off"']
)
def test_a_configuration_that_is_off_or_cant_be_read_starts_none(
    kept: Store, no_configuration: Path, jobs: list[Path], text: str
) -> None:
    no_configuration.write_text(text)
    process_briefly(kept, 1)
    assert not jobs


def test_a_model_that_cant_be_used_or_rests_starts_none(
    kept: Store, no_configuration: Path, embeddings: EmbeddingsSettings, jobs: list[Path]
) -> None:
    (Path(embeddings.directory) / "tokenizer.json").rename(no_configuration.with_name("aside"))
    process_briefly(kept, 1)
    no_configuration.write_text(
        '[embeddings]\nprovider = "openai-compatible"\nmodel = "m"\nurl = "http://127.0.0.1:9/v1"\n'
    )
    server = EmbeddingsSettings("openai-compatible", "http://127.0.0.1:9/v1", "m")
    assert "can't be reached" in vectors_in(kept).build(server).stopped
    process_briefly(kept, 1)
    assert not jobs


def test_a_builder_at_work_is_not_joined_by_another(kept: Store, jobs: list[Path]) -> None:
    with FileLock(str(make_spool_directory(kept.path) / LOCK_NAME)):
        process_briefly(kept, 1)
    assert not jobs
    process_briefly(kept, 1)
    assert jobs


def test_what_can_only_be_read_is_left_as_it_is(
    kept: Store, open_store: OpenStore, embeddings: EmbeddingsSettings, jobs: list[Path]
) -> None:
    reader = open_store(kept.path, read_only=True)
    assert process(reader, None, embeddings=embeddings).vectors is None
    process_briefly(reader, 1)
    assert not jobs and not kept.path.with_name("memory.db-vectors").exists()

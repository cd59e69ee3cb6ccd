"""JSON lines of the user's own, by a mapping of the settings' file."""

import json
import os
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.maintain.importing import run, source_of
from memtui.store.platform.errors import ConfigurationError, SourceError

from .test_import import write

SETTINGS = """
[mappings.journal]
title = "summary"
text = "entry.body"
time = "when"
session = "run"
project = "repo"
type = "kind"
tags = "labels"
"""
LINE = {
    "summary": "Clock drifts", "entry": {"body": "By two minutes.", "mood": "calm"},
    "when": "2026-02-02T02:40:00Z", "run": "r-1", "repo": "/src/atlas", "kind": "bugfix",
    "labels": ["clock"],
}  # fmt: skip


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of one line that fits the mapping `journal`."""
    settings = tmp_path / "config.toml"
    settings.write_text(SETTINGS)
    monkeypatch.setenv("MEMTUI_CONFIG", str(settings))
    return write(tmp_path / "notes.jsonl", [LINE])


def test_each_field_goes_where_the_mapping_says(store: Store, journal: Path) -> None:
    assert source_of(journal) == "journal"
    report = run(store, "journal", journal, None)
    (one,) = store.observations.where("true")
    assert (one.title, one.narrative, one.type) == ("Clock drifts", "By two minutes.", "bugfix")
    assert (one.project, one.tags, one.created_at) == ("atlas", ("clock",), 1_770_000_000_000)
    assert json.loads(one.extra or "")["fields"] == {"entry": {"mood": "calm"}}
    assert store.sessions.get(one.session_id).content_session_id == "r-1"
    assert report.source.startswith("journal:")
    assert store.find("tag:clock minutes").page().hits


def test_importing_again_changes_nothing_whenever_the_file_was_written(store: Store, journal: Path) -> None:
    write(journal, [LINE, {"entry": {"body": "It tells no time."}}])
    run(store, "journal", journal, None)
    before = store.observations.where("true")
    os.utime(journal, (1_500_000_000, 1_500_000_000))
    counts = run(store, "journal", journal, None).of("observations")
    assert (counts.new, counts.changed, counts.unchanged) == (0, 0, 2)
    assert store.observations.where("true") == before


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"other": 1}, "has nothing in “summary” (title) or “entry.body” (text)"),
        ({"entry": {"body": ["x"]}}, "has a list in “entry.body”, where a text is meant"),
        (LINE | {"labels": {"a": 1}}, "has an object in “labels”, where a list of texts is meant"),
        (LINE | {"when": "soon"}, "has 'soon' in “when”, where a time is meant"),
    ],
)
def test_a_line_that_does_not_fit_is_named_with_its_reason(
    line: dict[str, object], reason: str, store: Store, journal: Path
) -> None:
    write(journal, [LINE, line])
    report = run(store, "journal", journal, None)
    assert [(one.table, one.message) for one in report.warnings] == [("notes.jsonl:2", reason)]
    assert report.of("lines").skipped == {"not of the mapping": 1}
    assert report.of("observations").new == 1


def test_a_file_is_taken_for_none_that_fits_only_in_part_or_fits_two(journal: Path, tmp_path: Path) -> None:
    write(journal, [LINE, {"summary": "no more"}])
    with pytest.raises(SourceError, match="neither a store nor a transcript"):
        source_of(journal)
    write(journal, [LINE])
    (tmp_path / "config.toml").write_text(f'{SETTINGS}[mappings.diary]\ntext = "summary"\n')
    with pytest.raises(SourceError, match="fits the mappings journal and diary"):
        source_of(journal)


def test_what_is_wrong_in_the_settings_is_said(store: Store, journal: Path, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('[mappings.journal]\nbody = "x"\n')
    with pytest.raises(ConfigurationError, match="WHAT is one of title, text"):
        run(store, "journal", journal, None)
    settings.write_text('[mappings.journal]\ntime = "when"\n')
    with pytest.raises(SourceError, match="neither which field is a title nor which is a text"):
        run(store, "journal", journal, None)

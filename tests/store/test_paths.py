"""Where the user's memory lies, whoever asks."""

import os
from pathlib import Path

import pytest
from platformdirs import user_config_path, user_data_path

from memtui.store.config import config_path
from memtui.store.platform import paths


@pytest.mark.parametrize("data_home", [None, "", "relative", "/data"])
@pytest.mark.parametrize("named", [None, "", "/somewhere/memory.db"])
def test_it_lies_where_it_is_named_else_in_the_platforms_data_directory(
    monkeypatch: pytest.MonkeyPatch, data_home: str | None, named: str | None
) -> None:
    for variable, value in {"XDG_DATA_HOME": data_home, "MEMTUI_DB": named}.items():
        if value is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, value)
    usual = user_data_path("memtui", appauthor=False) / "memory.db"
    assert Path(os.fsdecode(paths.default_path_bytes(os.environb))) == usual
    assert paths.default_path() == (Path(named) if named else usual)
    assert paths.default_path_text() == str(paths.default_path())


@pytest.mark.parametrize("config_home", [None, "", "relative", "/config"])
@pytest.mark.parametrize("named", [None, "", "/somewhere/config.toml"])
def test_the_configuration_lies_where_it_is_named_else_in_the_platforms_directory(
    monkeypatch: pytest.MonkeyPatch, config_home: str | None, named: str | None
) -> None:
    for variable, value in {"XDG_CONFIG_HOME": config_home, "MEMTUI_CONFIG": named}.items():
        if value is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, value)
    usual = user_config_path("memtui", appauthor=False) / "config.toml"
    assert config_path() == (Path(named) if named else usual)

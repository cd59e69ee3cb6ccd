"""Texts in the user's language: which one that is, and that its catalogue says what the source says."""

from __future__ import annotations

import re
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from docs.catalogue import source_file, texts
from memtui.store.translation import LOCALES, language, translator

PLACE = re.compile(r"\{[^{}]*\}")


@pytest.fixture
def catalogue() -> Catalog:
    with source_file("zh").open("rb") as file:
        return read_po(file, "zh")


@pytest.mark.parametrize(
    ("variables", "configured", "expected"),
    [
        ({}, "", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "", "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "", "en"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "zh_CN:en"}, "", "zh"),
        ({"LANG": "de_DE.UTF-8"}, "", "en"),
        ({"LANG": "zh_CN.UTF-8"}, '[browser]\nlanguage = "en"\n', "en"),
        ({"LANG": "C.UTF-8"}, '[browser]\nlanguage = "zh"\n', "zh"),
        ({"LANG": "zh_CN.UTF-8"}, '[browser]\nlanguage = "auto"\n', "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "[browser\nlanguage = ", "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "browser = 1\nlanguage = 1\n", "zh"),
    ],
)
def test_the_configuration_names_the_language_or_else_the_locale(
    variables: dict[str, str],
    configured: str,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in LOCALES:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "config.toml"
    path.write_text(configured)
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))
    assert language() == expected


def test_the_compiled_catalogue_says_what_its_source_says(catalogue: Catalog) -> None:
    with source_file("zh").with_suffix(".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for message in catalogue:
        if message.id:
            assert compiled.gettext(str(message.id)) == (message.string or message.id)


def test_translations_have_the_values_of_their_texts(catalogue: Catalog) -> None:
    for message in catalogue:
        if message.id and message.string:
            assert set(PLACE.findall(str(message.string))) == set(PLACE.findall(str(message.id)))


def test_a_text_that_no_catalogue_has_is_shown_as_it_is() -> None:
    assert translator("zh")("no such text") == "no such text"
    assert translator("en")("Search") == "Search"


def test_every_text_of_the_source_is_in_the_catalogue(catalogue: Catalog) -> None:
    assert not [text for text in texts() if text not in catalogue]

"""Exported pages in a real browser: they search, obey the keys, and nothing that is stored runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.html.export import export_html
from tests.chromium import Page, chromium, needs_chromium
from tests.hostile import hostile_texts

from ..fillings import NOW
from .pages import SCRIPTING, pages
from .test_pages import fill_with

pytestmark = needs_chromium
LISTED = "document.querySelectorAll('#list .row').length"
TITLES = "[...document.querySelectorAll('#list .title')].map((one) => one.textContent)"
DAY = 86_400_000


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("chromium")) as found:
        yield found


@pytest.fixture
def exported(store: Store, tmp_path: Path) -> Path:
    """Three sessions of two projects, over three days."""
    texts = {"atlas": ("clock drift", "缓存已过期"), "other": ("Tokén refresh", "a plain note")}
    for number, (project, titles) in enumerate(texts.items()):
        for title in titles:
            at = NOW + number * DAY
            session = store.sessions.start(f"c-{project}", project=project, at=at)
            store.prompts.add(session, f"asked about {title}", at=at)
            kind = "bugfix" if title == "clock drift" else "discovery"
            store.observations.add(
                session, title=title, type=kind, narrative=f"first\n\nwords on {title}", at=at
            )
    folder = tmp_path / "pages"
    export_html(store, folder)
    return folder


def look(page: Page, path: Path, anchor: str = "") -> None:
    page.requests.clear()
    page.complaints.clear()
    page.call("Page.navigate", url="about:blank")
    page.open(f"{path.as_uri()}{anchor}")


def search(page: Page, text: str) -> list[str]:
    page.run("document.getElementById('query').select()")
    page.run("document.getElementById('query').focus()")
    page.type(text)
    page.until(f"new URLSearchParams(location.hash.slice(1)).get('q') === {text!r}")
    return list(page.run(TITLES))


def test_a_search_finds_any_part_of_a_word_in_any_script(page: Page, exported: Path) -> None:
    look(page, exported / "index.html")
    assert page.run(LISTED) == 8
    assert set(search(page, "存已")) == {"缓存已过期", "asked about 缓存已过期"}
    assert set(search(page, "TOKEN")) == {"Tokén refresh", "asked about Tokén refresh"}
    assert search(page, '"words on clock" -asked') == ["clock drift"]
    assert page.run("document.querySelector('mark').textContent") == "words on clock"
    assert search(page, "nowhere") == []
    assert "Nothing matches" in page.run("document.getElementById('found').textContent")
    assert page.complaints == []
    assert {one.split(":")[0] for one in page.requests} <= {"file", "about"}


def test_types_projects_and_days_narrow_and_the_address_keeps_it(page: Page, exported: Path) -> None:
    look(page, exported / "index.html", "#type=bugfix")
    assert page.run(TITLES) == ["clock drift"]
    page.run("document.querySelector('#types [aria-pressed=true]').click()")
    page.run(
        "(() => { const box = document.getElementById('project'); box.value = 'other';"
        "box.dispatchEvent(new Event('change')); })()"
    )
    assert page.run(LISTED) == 4
    assert page.run("location.hash") == "#project=other"
    page.run("document.getElementById('clear').click()")
    assert page.run(LISTED) == 8
    page.run("document.querySelector('.density a').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    page.until(f"{LISTED} === 4")
    assert "2026-02-13" in page.run("document.getElementById('found').textContent")
    page.run("history.back()")
    page.until(f"{LISTED} === 8")


def test_keys_lead_from_the_search_to_a_memory(page: Page, exported: Path) -> None:
    look(page, exported / "index.html")
    page.press("/")
    assert page.run("document.activeElement.id") == "query"
    page.type("clock")
    page.until(f"{LISTED} === 2")
    page.press("ArrowDown")
    page.press("ArrowDown")
    page.press("ArrowUp")
    page.press("Enter")
    page.until("location.pathname.includes('/sessions/')")
    page.until("document.querySelector(':target')?.classList.contains('memory')")
    page.until("document.readyState === 'complete'")
    page.press("j")
    page.until("document.activeElement?.classList.contains('memory')")
    page.press("/")
    page.until("document.activeElement && document.activeElement.id === 'query'")


def test_light_and_dark_follow_the_system_until_one_is_chosen(page: Page, exported: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    page.sees(dark=True)
    look(page, exported / "index.html")
    dark = page.run(ground)
    page.sees(dark=False)
    light = page.run(ground)
    assert dark != light
    page.press("t")
    assert page.run(ground) == dark
    # By its link: what a page keeps may be lost where a page of another origin takes its place at once.
    page.run("[...document.links].find((one) => one.href.endsWith('sessions.html')).click()")
    page.until("location.pathname.endsWith('sessions.html') && document.readyState === 'complete'")
    assert page.run(ground) == dark
    page.run("localStorage.clear()")


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wider_than_the_window(page: Page, store: Store, tmp_path: Path, width: int) -> None:
    fill_with(store, ["w" * 3_000, "# a\n\n```\n" + "code " * 200 + "\n```\n\n|a|b|\n|-|-|\n|" + "x" * 400])
    export_html(store, tmp_path / "pages")
    page.sees(width=width)
    for path in pages(tmp_path / "pages").values():
        look(page, path)
        assert page.run("document.documentElement.scrollWidth") <= width, path.name


@pytest.mark.long
def test_nothing_that_is_stored_runs_or_asks_for_anything(page: Page, store: Store, tmp_path: Path) -> None:
    """Whatever is in the texts: no script of theirs, no request, no element or handler of theirs."""
    fill_with(store, [*SCRIPTING, *(text for _, text in hostile_texts() if len(text) < 20_000)])
    export_html(store, tmp_path / "pages")
    for path in pages(tmp_path / "pages").values():
        look(page, path)
        page.run("document.querySelectorAll('.memory, .row').forEach((one) => one.focus())")
        page.run(
            "document.querySelectorAll('.memory *, .row *').forEach((one) => "
            "one.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))"
        )
        assert page.run("document.documentElement.dataset.pwned") is None, path.name
        assert page.run("document.querySelectorAll('img, iframe, base, object, animate').length") == 0
        assert {one.split(":")[0] for one in page.requests} <= {"file", "about"}, path.name
        assert page.complaints == [], path.name
    look(page, tmp_path / "pages" / "index.html")
    for text in SCRIPTING:
        page.run("document.getElementById('query').focus()")
        page.run("document.getElementById('query').select()")
        page.type(text)
        assert page.run("document.documentElement.dataset.pwned") is None, text
    assert page.complaints == []


@pytest.mark.long
def test_a_query_goes_along_to_another_stretch_of_time(
    page: Page, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.leaves.html.export.MOST", 2)
    for number in range(4):
        store.observations.add("c-1", title=f"memory {number}", at=NOW + number)
    export_html(store, tmp_path / "pages")
    look(page, tmp_path / "pages" / "index.html")
    assert search(page, "memory 1") == []
    assert "in this stretch" in page.run("document.getElementById('found').textContent")
    page.run("document.querySelectorAll('.stretches a')[1].click()")
    page.until("location.pathname.endsWith('index-2.html') && document.readyState === 'complete'")
    assert page.run(TITLES) == ["memory 1"]


@pytest.mark.long
def test_ten_thousand_memories_are_searched(page: Page, store: Store, tmp_path: Path) -> None:
    with store.transaction():
        session = store.sessions.start("c-1", project="atlas", at=NOW)
        for number in range(10_000):
            store.observations.add(
                session, title=f"memory {number}", narrative="words 缓存 of it " * 8, at=NOW + number
            )
    export_html(store, tmp_path / "pages")
    look(page, tmp_path / "pages" / "index.html")
    assert page.run(LISTED) >= 60
    assert search(page, "memory 9999") == ["memory 9999"]
    assert "10,000" in page.run("document.querySelector('.told').textContent")

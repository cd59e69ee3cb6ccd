"""The `html` export: pages that stand by themselves, in which a text stays a text."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.scope import Scope, choose, choose_project
from memtui.store.leaves.html import index_page, places
from memtui.store.leaves.html.export import export_html
from memtui.store.leaves.html.texts import rendered, rendered_line
from memtui.store.platform.clock import DAY_MS, now_ms
from tests.hostile import hostile_texts

from ..fillings import CANARY, EVERYTHING, NOW, fill, hide
from .pages import SCRIPTING, TAGS, index_data, led_to, pages, read


def fill_with(store: Store, texts: list[str]) -> None:
    """Put each text wherever a text may stand."""
    for number, text in enumerate(texts):
        session = store.sessions.start(f"c-{number}", title=text, project=text, agent=text)
        store.prompts.add(session, text)
        made = store.observations.add(
            session, title=text, type=text, subtitle=text, narrative=text, text=text, facts=[text],
            concepts=[text], tags=[text], files_read=[text], files_modified=[text], tool_name=text,
        )  # fmt: skip
        store.summaries.add(session, request=text, completed=text, text=text, files_read=[text])
        store.facts.add(f"{number} {text}", entities=[text], evidence=[made.uid, text])
        store.notes.upsert(f"{number} {text}", text, project=text)


def test_a_session_is_a_page_with_all_of_it_in_the_order_of_time(store: Store, tmp_path: Path) -> None:
    fill(store)
    counts = export_html(store, tmp_path)
    name = next(name for name in pages(tmp_path) if "Login" in name)
    assert re.fullmatch(r"sessions/atlas/2026-02-13-Login-[0-9a-f]{12}\.html", name)
    page = (tmp_path / name).read_text()
    told = [
        "<h1>Login", "why does login fail?", "Clock drift 缓存", "TTL is 24 h", "src/a.py",
        "Added a leeway", "and now?",
    ]  # fmt: skip
    found = [page.index(text) for text in told]
    assert found == sorted(found)
    assert counts["sessions"] == 1
    assert counts["observations"] == 1
    assert {row[5] for row in index_data(tmp_path / "index.html")["rows"]} >= {
        "Clock drift 缓存", "Tokens live 24 h", "Login fails", "MEMORY.md",
    }  # fmt: skip


@pytest.mark.parametrize("scope", [None, EVERYTHING])
def test_nothing_private_or_deleted_goes_out_unless_asked_for(
    store: Store, tmp_path: Path, scope: Scope | None
) -> None:
    fill(store)
    hide(store)
    store.observations.add("c-1", title="a listing", type="noise")
    export_html(store, tmp_path, scope)
    written = "".join(path.read_text() for path in pages(tmp_path).values())
    assert (CANARY in written) == (scope is not None)
    assert ('class="flag private"' in written) == (scope is not None)
    assert "a listing" not in written


def test_texts_are_texts_wherever_they_stand(store: Store, tmp_path: Path) -> None:
    fill_with(store, [*SCRIPTING, *(text for _, text in hostile_texts())])
    export_html(store, tmp_path)
    for name, path in pages(tmp_path).items():
        page = read(path)
        assert {tag for tag, _ in page.elements} <= TAGS, name
        attributes = {attribute for _, found in page.elements for attribute in found}
        assert not {one for one in attributes if one.startswith("on")} | attributes & {
            "style", "src", "srcset", "action", "formaction", "ping",
        }  # fmt: skip
        for href in page.attributes("href"):
            assert re.match(r"https?://|mailto:|[\w./%-]*\.html|#", href), (name, href)
        assert len([1 for tag, _ in page.elements if tag == "script"]) <= 3
        text = path.read_text("utf-8")
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\u2066\u200b]", text)


def test_every_link_leads_to_a_place_that_is_there(store: Store, tmp_path: Path) -> None:
    fill(store)
    fill_with(store, ["one", "two <b>", "三/四", "../..", "con"])
    export_html(store, tmp_path)
    ids = {path.resolve(): set(read(path).attributes("id")) for path in pages(tmp_path).values()}
    for path in pages(tmp_path).values():
        links = [href for href in read(path).attributes("href") if "://" not in href]
        if path.name == "index.html":
            data = index_data(path)
            links += [f"{data['pages'][row[3]][0]}#{row[4].split()[0]}" for row in data["rows"]]
        for href in links:
            target, anchor = led_to(path, href)
            assert target in ids, (path, href)
            assert not anchor or "=" in anchor or anchor in ids[target], (path, href)


def test_the_policy_lets_nothing_run_but_our_own(store: Store, tmp_path: Path) -> None:
    fill(store)
    export_html(store, tmp_path)
    for path in pages(tmp_path).values():
        text = path.read_text("utf-8")
        (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
        policy = policy.replace("&#x27;", "'")
        assert policy.startswith("default-src 'none';")
        assert "unsafe" not in policy and "http" not in policy
        for inline in re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", text, re.DOTALL):
            assert b64encode(sha256(inline.encode()).digest()).decode() in policy


def test_a_fact_leads_to_what_it_rests_on_and_to_what_holds_in_its_place(
    store: Store, tmp_path: Path
) -> None:
    made = store.observations.add("c-1", title="The clock drifted", at=NOW)
    hidden = store.observations.add("c-1", title="hidden", private=True, at=NOW)
    old = store.facts.add("Tokens live 24 h", evidence=[made.uid, hidden.uid])
    new = store.facts.add("Tokens live 12 h")
    store.superseding.supersede(old, new)
    export_html(store, tmp_path)
    page = (tmp_path / "facts.html").read_text()
    assert re.search(rf'<a href="sessions/[^"]*#o{made.id}">The clock drifted</a>', page)
    assert f"{hidden.uid} (not in this export)" in page
    assert f'In its place holds: <a href="facts.html#f{new.id}">' in page
    assert page.count(">superseded<") == 1


def test_many_memories_are_divided_by_time_and_many_facts_by_pages(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_page, "MOST", 4)
    monkeypatch.setattr("memtui.store.leaves.html.export.MOST", 4)
    monkeypatch.setattr(places, "PAGE", 3)
    monkeypatch.setattr("memtui.store.leaves.html.export.PAGE", 3)
    for number in range(7):
        store.observations.add(f"c-{number}", title=f"memory {number}", at=NOW + number * 86_400_000)
        store.facts.add(f"fact {number}")
    counts = export_html(store, tmp_path)
    assert counts == {"sessions": 7, "observations": 7, "facts": 7}
    found = pages(tmp_path)
    assert {name for name in found if "/" not in name} == {
        "index.html", "index-2.html", "index-3.html", "index-4.html", "facts.html", "facts-2.html",
        "facts-3.html", "sessions.html", "sessions-2.html", "sessions-3.html",
    }  # fmt: skip
    rows = [row for name in found if "index" in name for row in index_data(found[name])["rows"]]
    assert sorted(row[5] for row in rows) == sorted(
        f"{kind} {number}" for kind in ("memory", "fact") for number in range(7)
    )
    for name in (one for one in found if "index" in one):
        data = index_data(found[name])
        for row in data["rows"]:
            target, anchor = led_to(found[name], f"{data['pages'][row[3]][0]}#{row[4]}")
            assert anchor in read(target).attributes("id")


def test_a_session_or_a_project_goes_alone(store: Store, tmp_path: Path) -> None:
    for project in ("atlas", "other"):
        session = store.sessions.start(f"c-{project}", project=project, at=NOW)
        made = store.observations.add(session, title=f"seen in {project}", at=NOW)
        store.observations.add(session, title="a listing", type="noise", at=NOW)
        store.prompts.add(session, f"asked in {project}", at=NOW)
        store.facts.add(f"held in {project}", project=project, evidence=[made.uid])
        store.notes.upsert("MEMORY.md", f"noted in {project}", project=project)
    of_session = choose(store.db, [f"@{store.sessions.get('c-atlas').id}"], Scope())
    of_project = choose_project(store.db, "atlas", Scope())
    assert export_html(store, tmp_path / "session", of_session) == {
        "sessions": 1, "observations": 1, "prompts": 1, "facts": 1,
    }  # fmt: skip
    assert export_html(store, tmp_path / "project", of_project) == {
        "sessions": 1, "observations": 1, "prompts": 1, "facts": 1, "notes": 1,
    }  # fmt: skip
    for path in pages(tmp_path).values():
        assert " in other" not in path.read_text()


def test_what_a_wrong_clock_dated_ahead_comes_last_and_is_on_no_bar(store: Store, tmp_path: Path) -> None:
    ahead = now_ms() + 70 * 365 * DAY_MS
    store.sessions.start("c-9", agent="codex", title="A session of 2096", at=ahead)
    store.observations.add("c-9", title="A memory of 2096", at=ahead)
    for day in range(3):
        store.observations.add("c-1", title=f"Valve {day}", at=now_ms() - day * DAY_MS)
    export_html(store, tmp_path)
    titles = [row[-2] for row in index_data(tmp_path / "index.html")["rows"]]
    assert titles[0] == "Valve 0"
    assert titles[-1] == "A memory of 2096"
    page = (tmp_path / "index.html").read_text()
    assert page.count('<rect class="ground"') == 3
    assert "A session of 2096" not in page.split('class="told"')[1][:200]
    sessions = (tmp_path / "sessions.html").read_text()
    assert sessions.index("A session of 2096") > sessions.index("c-1")


def test_an_empty_memory_is_an_index_that_says_so(store: Store, tmp_path: Path) -> None:
    assert export_html(store, tmp_path) == {"sessions": 0}
    assert index_data(tmp_path / "index.html")["rows"] == []


MARKDOWN = {
    "# One": "<h4>One</h4>",
    "**b** *e* `c<`": "<p><strong>b</strong> <em>e</em> <code>c&lt;</code></p>",
    "- a\n- b": "<ul><li>a</li><li>b</li></ul>",
    "2. a": '<ol start="2"><li>a</li></ol>',
    "a  \n*b*": "<p>a\n<em>b</em></p>",
    "[x](https://example.org)": '<a href="https://example.org" rel="noopener noreferrer nofollow">x</a>'
    '<span class="address"> (https://example.org)</span>',
    "see https://example.org/a.": '<p>see <a href="https://example.org/a" '
    'rel="noopener noreferrer nofollow">https://example.org/a</a>.</p>',
    "[x](javascript:a)": '<span class="address">x</span><span class="address"> (javascript:a)</span>',
    "```diff\n-a\n+b\n```": '<span class="gd">-a</span>\n<span class="gi">+b</span>',
    "@@ -1 +1 @@\n-a\n+b": '<span class="gi">+b</span>',
    "- a\n- c\n+ b": '<span class="gd">- c</span>\n<span class="gi">+ b</span>',
    "@@\n- a\n- b": '<span class="gd">- b</span>',
    "```python\nif x: pass\n```": '<span class="k">if</span>',
    "<b>x</b>": "&lt;b&gt;x&lt;/b&gt;",
    "&lt; stays": "&amp;lt; stays",
    '{"a": 1}': '<span class="language">json</span>',
    "plain <words>": "<p>plain &lt;words&gt;</p>",
}


@pytest.mark.parametrize("text", MARKDOWN)
def test_markdown_is_rendered(text: str) -> None:
    assert MARKDOWN[text] in rendered(text)


@pytest.mark.parametrize("text", [">" * 60 + " deep", "- " * 50 + "deep", "[" * 3_000, "x" * 200_000])
def test_no_word_is_lost_and_none_takes_long(text: str) -> None:
    assert text.strip("->[ ") in rendered(text)
    assert text.strip("->[ ") in rendered_line(text)

"""`memtui serve`: to this machine, to whoever has the token, a process a client."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from memtui.tui.__main__ import main
from tests.places import ROOT

pytest.importorskip("textual_serve", reason="needs the extra `web`")

import aiohttp

from tests.chromium import chromium, needs_chromium

from .served import TITLE, Served, is_there, serving, until

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


async def asked(served: Served, path: str = "/", **headers: str) -> tuple[int, str, dict[str, str]]:
    """The status, text and headers of an answer."""
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
        session.get(
            f"http://127.0.0.1:{served.port}{path}", headers=headers, allow_redirects=False
        ) as answer,
    ):
        return answer.status, await answer.text(errors="replace"), dict(answer.headers)


async def test_the_page_holds_no_token_and_gives_no_cookie(served: Served) -> None:
    for path in ("/", f"/?token={served.token}", "/files/serving.js"):
        status, page, headers = await asked(served, path)
        assert status == 200
        assert served.token not in page
        assert "Set-Cookie" not in headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none';")
        assert "frame-ancestors 'none'" in policy
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/ws", "/ws/", "/ws/guessed", "/ws/none?token={token}", "/ws?token={token}"]
)
async def test_no_client_starts_without_it(served: Served, path: str) -> None:
    origin = f"http://127.0.0.1:{served.port}"
    for cookie in ("", f"memtui-{served.port}={served.token}"):
        status, text, _ = await asked(
            served, path.format(token=served.token), Cookie=cookie, Origin=origin, Upgrade="websocket"
        )
        assert status == 403, path
        assert "memtui serve" in text
        assert served.token not in text
    assert served.clients() == []


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "evil.example:{port}", "127.0.0.1.evil.example:{port}", ""]
)
async def test_a_name_of_somebody_elses_for_this_machine_is_refused(served: Served, host: str) -> None:
    status, _, _ = await asked(served, Host=host.format(port=served.port))
    assert status in (400, 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:{port}", None]
)
async def test_no_other_site_opens_a_socket(served: Served, origin: str | None) -> None:
    headers = {}
    if origin is not None:
        headers["Origin"] = origin.format(port=served.port)
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(served.socket, headers=headers)
    assert refused.value.status == 403
    assert served.clients() == []


async def test_files_are_those_of_the_page_only(served: Served) -> None:
    for name in ("textual.js", "xterm.css", "mono.ttf", "serving.css", "serving.js"):
        assert (await asked(served, f"/files/{name}"))[0] == 200
    for name in ("..%2fserver.py", "server.py", "", "%2e%2e/__init__.py", "/etc/passwd"):
        assert (await asked(served, f"/files/{name}"))[0] == 404


async def test_each_client_has_a_process_that_ends_with_it(served: Served) -> None:
    headers = {"Origin": f"http://127.0.0.1:{served.port}"}
    address = f"{served.socket}?width=100&height=30"
    async with aiohttp.ClientSession() as session:
        first = await session.ws_connect(address, headers=headers)
        second = await session.ws_connect(address, headers=headers)
        await shows(first, TITLE)
        await shows(second, TITLE)
        assert len(served.clients()) == 2
        await first.send_str("[]")
        await ended(first)
        await asyncio.to_thread(until, lambda: len(served.clients()) == 1, "the process stays")
        # The other one goes on, until it is left by its own key.
        await second.send_str(json.dumps(["stdin", "\x11"]))
        await ended(second)
    await asyncio.to_thread(until, lambda: not served.clients(), "the process stays")


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.sampled
async def test_clients_end_with_the_server(
    tmp_path_factory: pytest.TempPathFactory, way: signal.Signals
) -> None:
    with serving(tmp_path_factory.mktemp("ended")) as served:
        headers = {"Origin": f"http://127.0.0.1:{served.port}"}
        async with aiohttp.ClientSession() as session:
            client = await session.ws_connect(served.socket, headers=headers)
            await shows(client, TITLE)
            (process,) = served.clients()
            served.process.send_signal(way)
            await ended(client)
        await asyncio.to_thread(until, lambda: not is_there(process), "the process stays")


async def shows(client: aiohttp.ClientWebSocketResponse, text: str) -> None:
    """Read what a client is sent until a text is in it."""
    got = b""
    while text.encode() not in got:
        message = await client.receive(timeout=30)
        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
        got += message.data if isinstance(message.data, bytes) else b""


async def ended(client: aiohttp.ClientWebSocketResponse) -> None:
    """Read until the server closes a client's socket."""
    while not client.closed:
        await client.receive(timeout=30)


@pytest.mark.long
@needs_chromium
def test_a_web_browser_shows_it_and_passes_keys_on(
    served: Served, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with chromium(tmp_path_factory.mktemp("chromium")) as page:
        page.open(served.address, "document.body?.classList.contains('-first-byte')")
        page.until_received(TITLE)
        assert page.run("location.href") == f"http://127.0.0.1:{served.port}/"
        assert page.run("document.cookie") == ""
        page.until("document.activeElement?.matches('.xterm-helper-textarea')")
        page.type("zzqy")
        page.until_received("zzqy")
        assert {one.split("/")[2] for one in page.requests} == {f"127.0.0.1:{served.port}"}
        assert page.complaints == []
        page.open(f"http://127.0.0.1:{served.port}/files/none", "true")
    until(lambda: not served.clients(), "the process stays")


def test_the_browser_in_a_terminal_imports_nothing_of_it() -> None:
    told = "import sys, memtui.tui.__main__ as t; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {"aiohttp", "textual_serve", "memtui.tui.leaves.serving", "jinja2"} & set(
        done.stdout.split()
    )


def test_without_the_extra_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("memtui.tui.leaves.serving.command.find_spec", lambda name: None)
    assert main(["serve"]) == 1
    assert "'FILE.whl[web]'" in capsys.readouterr().err


@pytest.mark.long
def test_a_port_that_is_taken_is_told(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    for port, what in (
        (served.port, "is in use"),
        (99_999_999, "can't be served on (there is no such port)"),
    ):
        assert main(["serve", "--port", str(port)]) == 1
        told = capsys.readouterr().err
        assert f"Port {port} {what}. Choose another with --port." in told

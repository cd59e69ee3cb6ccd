"""`mem embeddings fetch` downloads a model when asked, whole or not at all."""

import shlex
import threading
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memtui.store.leaves.embeddings import fetching
from tests.store.cli.runner import Mem
from tests.store.embeddings.models import onnx_model, static_model


class Files:
    """What a server of files gives, by path; `asked` is (method, path)."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.endless: set[str] = set()
        self.redirects: dict[str, str] = {}
        self.statuses: dict[str, int] = {}
        self.headers: dict[str, tuple[str, str]] = {}
        self.asked: list[tuple[str, str]] = []
        self.url = ""

    def of(self, directory: Path) -> None:
        """Give what a directory holds."""
        for path in directory.rglob("*"):
            if path.is_file():
                self.files[path.relative_to(directory).as_posix()] = path.read_bytes()

    @property
    def gotten(self) -> list[str]:
        """The files that were downloaded."""
        return [path for method, path in self.asked if method == "GET" and path != "config.json"]


@pytest.fixture
def site() -> Iterator[Files]:
    state = Files()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        def answer(self) -> None:
            path = self.path.removeprefix("/model/")
            state.asked.append((self.command, path))
            content = state.files.get(path)
            if path in state.redirects:
                self.send_response(302)
                self.send_header(*state.headers.get(path, ("X-None", "")))
                self.send_header("Location", state.redirects[path])
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            status = state.statuses.get(path, 404 if content is None else 200)
            content = content or b""
            self.send_response(status)
            self.send_header(*state.headers.get(path, ("X-None", "")))
            if path not in state.endless:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content[:-5] if path in state.cut else content)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/model"
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def line(site: Files, into: Path, *more: str) -> tuple[str, ...]:
    return ("embeddings", "fetch", "me/tiny", "--from", site.url, "--into", str(into), *more)


def test_a_static_model_comes_whole_and_the_printed_command_uses_it(
    mem: Mem, site: Files, tmp_path: Path
) -> None:
    site.of(static_model(tmp_path / "published"))
    into = tmp_path / "my models" / "tiny"
    result = mem(*line(site, into, "--yes"))
    assert result.exit_code == 0, result.stderr
    assert f"From {site.url}/" in result.stderr and f"To {into}, " in result.stderr
    assert "tokenizer.json  0.0 MB" in result.stderr
    assert result.stdout == f"mem embeddings set static --directory {shlex.quote(str(into))}\n"
    names = {path.name for path in into.iterdir()}
    assert names == {"tokenizer.json", "model.safetensors"}
    assert (into / "model.safetensors").read_bytes() == site.files["model.safetensors"]
    mem.ok(*shlex.split(result.stdout)[1:])


@pytest.mark.parametrize("header", ["ETag", "X-Linked-ETag", "Digest", "Repr-Digest"])
def test_a_file_is_what_its_server_says(mem: Mem, site: Files, tmp_path: Path, header: str) -> None:
    site.of(static_model(tmp_path / "published"))
    name = "model.safetensors"
    elsewhere = "elsewhere.bin"
    site.files[elsewhere] = site.files[name]
    if header == "X-Linked-ETag":
        site.redirects[name] = f"/model/{elsewhere}"

    def tell(content: bytes) -> None:
        found = sha256(content)
        encoded = b64encode(found.digest()).decode()
        told = {"Digest": f"sha-256={encoded}", "Repr-Digest": f"sha-256=:{encoded}:"}
        site.headers[name] = header, told.get(header, f'"{found.hexdigest()}"')

    tell(b"something else")
    assert "isn't what the server says it is" in mem.refused(*line(site, tmp_path / "a", "--yes"))
    assert not (tmp_path / "a" / name).exists()
    tell(site.files[name])
    mem.ok(*line(site, tmp_path / "a", "--yes"))
    assert (tmp_path / "a" / name).read_bytes() == site.files[name]


def test_a_file_without_a_length_ends_somewhere(
    mem: Mem, site: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.leaves.embeddings.fetching.MOST_UNSAID", 100)
    site.of(static_model(tmp_path / "published"))
    site.endless.add("model.safetensors")
    result = mem(*line(site, tmp_path / "tiny", "--yes"))
    assert result.exit_code == 1
    assert "model.safetensors goes on beyond" in result.stderr
    assert not (tmp_path / "tiny" / "model.safetensors").exists()


def test_an_onnx_model_is_taken_where_there_is_one_unless_the_model_is_static(
    mem: Mem, site: Files, tmp_path: Path
) -> None:
    site.of(onnx_model(tmp_path / "published", place="onnx/model.onnx", pooling="cls_token"))
    site.files |= {"model.safetensors": b"x" * 10, "config.json": b'{"model_type": "bert"}'}
    found = mem.json(*line(site, tmp_path / "one", "--yes"))
    assert found["provider"] == "onnx"
    assert {one["path"] for one in found["files"]} == {
        "tokenizer.json", "config.json", "1_Pooling/config.json", "onnx/model.onnx",
    }  # fmt: skip
    assert (tmp_path / "one" / "1_Pooling" / "config.json").exists()
    site.files["config.json"] = b'{"model_type": "model2vec"}'
    assert mem.json(*line(site, tmp_path / "two", "--yes"))["provider"] == "static"


def test_nothing_comes_without_a_yes(mem: Mem, site: Files, tmp_path: Path) -> None:
    site.of(static_model(tmp_path / "published"))
    assert "say --yes" in mem.refused(*line(site, tmp_path / "tiny"), code=2)
    assert not site.asked
    told = mem.typed(*line(site, tmp_path / "tiny"), keys="n\n")
    assert "Download them?" in told and "Nothing was downloaded." in told
    assert not site.gotten and not (tmp_path / "tiny").exists()
    assert "mem embeddings set static" in mem.typed(*line(site, tmp_path / "tiny"), keys="y\n")


def test_a_download_that_was_cut_leaves_whole_files_only_and_goes_on(
    mem: Mem, site: Files, tmp_path: Path
) -> None:
    site.of(static_model(tmp_path / "published"))
    site.cut = {"model.safetensors"}
    into = tmp_path / "tiny"
    assert "fetch" in mem.refused(*line(site, into, "--yes"))
    assert [path.name for path in into.iterdir()] == ["tokenizer.json"]
    site.cut, site.asked = set(), []
    mem.ok(*line(site, into, "--yes"))
    assert site.gotten == ["model.safetensors"]


def test_a_directory_with_other_content_is_left_alone(mem: Mem, site: Files, tmp_path: Path) -> None:
    site.of(static_model(tmp_path / "published"))
    into = tmp_path / "tiny"
    into.mkdir()
    for name in ("diary.txt", "tokenizer.json"):
        (into / name).write_text("mine")
        told = mem.refused(*line(site, into, "--yes"))
        assert f"has other content ({name})" in told and not site.gotten
        assert (into / name).read_text() == "mine"
        (into / name).unlink()
    file = tmp_path / "file"
    file.write_text("mine")
    assert "is not a directory" in mem.refused(*line(site, file, "--yes"))


def test_what_is_no_model_or_not_to_be_had_is_told(mem: Mem, site: Files, tmp_path: Path) -> None:
    assert "is not a model for embeddings" in mem.refused(*line(site, tmp_path / "a", "--yes"))
    site.statuses["tokenizer.json"] = 401
    told = mem.refused(*line(site, tmp_path / "a", "--yes"))
    assert "HTTP 401" in told and "private" in told
    assert "is not a model's name" in mem.refused("embeddings", "fetch", "tiny", "--yes")
    wrong = ("embeddings", "fetch", "me/tiny", "--yes", "--from")
    assert "begins with https://" in mem.refused(*wrong, "file:///etc")
    assert "can't be fetched" in mem.refused(*wrong, "http://127.0.0.1:9/model")


def test_links_of_the_server_are_followed(mem: Mem, site: Files, tmp_path: Path) -> None:
    site.of(static_model(tmp_path / "published"))
    site.files["store/weights"] = site.files.pop("model.safetensors")
    site.redirects["model.safetensors"] = f"{site.url}/store/weights"
    mem.ok(*line(site, tmp_path / "tiny", "--yes"))
    assert ("HEAD", "store/weights") in site.asked
    site.redirects["model.safetensors"] = "ftp://127.0.0.1/weights"
    assert "isn't https" in mem.refused(*line(site, tmp_path / "b", "--yes"))


def test_a_model_s_usual_address_and_place_are_known(
    mem: Mem, site: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = fetching.address_of("minishlab/potion-base-8M")
    assert address == "https://huggingface.co/minishlab/potion-base-8M/resolve/main/"
    site.of(static_model(tmp_path / "published"))
    monkeypatch.setattr(fetching, "address_of", lambda _: site.url)
    mem.ok("embeddings", "fetch", "me/tiny", "--yes")
    assert (mem.db.parent / "models" / "tiny" / "tokenizer.json").exists()


def test_a_full_disk_is_told_before_anything_comes(
    mem: Mem, site: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.of(static_model(tmp_path / "published"))
    monkeypatch.setattr(
        "memtui.store.leaves.embeddings.fetching.shutil.disk_usage",
        lambda _: type("Usage", (), {"free": 10}),
    )
    assert "has no room" in mem.refused(*line(site, tmp_path / "tiny", "--yes"))
    assert not site.gotten

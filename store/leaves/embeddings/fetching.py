"""Fetching a model: its files from where it is published, each whole or not at all.

Nothing else of memtui downloads anything, and this only where the user asks for it.
"""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ...database.files import atomic
from ...platform.errors import StoreError
from ...platform.translation import _
from ...records.dataclasses import dataclass

HOST = "https://huggingface.co"
NAME = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
CONFIG = "config.json"
STATIC, ONNX = "model.safetensors", ("onnx/model.onnx", "model.onnx")
SMALL = (
    *("tokenizer.json", CONFIG, "tokenizer_config.json", "sentence_bert_config.json"),
    "1_Pooling/config.json",
)
STATIC_TYPE = "model2vec"
"""What `model_type` of config.json says of a static model."""
LINKED = "X-Linked-ETag"
"""In this header a server that leads to a file elsewhere tells its hash."""
HEXADECIMAL = re.compile(r'(?:W/)?"?([0-9a-f]{64})"?', re.IGNORECASE)
DIGEST = re.compile(r"\bsha-256=:?([A-Za-z0-9+/]{43}=)", re.IGNORECASE)
"""How servers tell the SHA-256 of a file."""
SECONDS = 30.0
"""How long a server may be silent."""
CHUNK = 1 << 18
LONGEST_CONFIG = 1 << 20
MOST_UNSAID = 2 << 30
"""Bytes of a file that are taken where the server doesn't say how many it has."""

Progress = Callable[[int, int, str], object]


class FetchError(StoreError):
    """A model couldn't be fetched; each file that is there is whole."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a published model: its path there and here, and its bytes, None where the server doesn't
    say."""

    path: str
    bytes: int | None


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A published model: the address that its files are below, these, and which provider reads them."""

    url: str
    files: tuple[RemoteFile, ...]
    provider: str

    @property
    def bytes(self) -> int:
        """Of all files whose size is known."""
        return sum(file.bytes or 0 for file in self.files)


def address_of(name: str) -> str:
    """Return where the files of a model are published. FetchError where it can't be a name."""
    if not NAME.fullmatch(name) or ".." in name:
        raise FetchError("{name} is not a model's name. It is like minishlab/potion-base-8M.", name=name)
    return f"{HOST}/{name}/resolve/main/"


def survey(url: str) -> RemoteModel:
    """Return which files of a model there are below an address. Raises FetchError."""
    try:
        is_address = urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise FetchError("{url} is not an address. It begins with https://.", url=url)
    base = f"{url.rstrip('/')}/"
    small = [file for path in SMALL if (file := _look(base, path))]
    static = _look(base, STATIC)
    onnx = next((file for path in ONNX if (file := _look(base, path))), None)
    if not any(remote_file.path == "tokenizer.json" for remote_file in small) or not (static or onnx):
        raise FetchError(
            "{base} has no tokenizer.json with model.safetensors or onnx/model.onnx, so that is not a"
            " model for embeddings. See whether the name is right.",
            base=base,
        )
    has_config = any(item.path == CONFIG for item in small)
    if static and (onnx is None or (has_config and _is_static(base))):
        return RemoteModel(base, (*small, static), "static")
    assert onnx is not None
    data = _look(base, f"{onnx.path}_data")
    return RemoteModel(base, (*small, onnx, *([data] if data else [])), "onnx")


def check_place(model: RemoteModel, directory: Path) -> None:
    """Raise FetchError where a directory holds what isn't of the model, or the disk has no room."""
    atomic.sweep_all(directory)
    sizes = {file.path: file.bytes for file in model.files}
    there = [item for item in directory.rglob("*") if not item.is_dir()] if directory.exists() else []
    for path in there:
        name = path.relative_to(directory).as_posix()
        if name not in sizes or sizes[name] not in (None, path.stat().st_size):
            raise FetchError(
                "{directory} has other content ({name}), which stays. Name another: --into DIR.",
                directory=directory,
                name=name,
            )
    place = next(entry for entry in (directory, *directory.parents) if entry.exists())
    if not place.is_dir():
        raise FetchError("{place} is not a directory. Name another: --into DIR.", place=place)
    left = sum(
        remote_file.bytes or 0 for remote_file in model.files if not (directory / remote_file.path).exists()
    )
    if shutil.disk_usage(place).free < left:
        raise FetchError(
            "The disk has no room for {size} MB in {directory}.",
            size=f"{left / 1e6:,.1f}",
            directory=directory,
        )


def fetch(model: RemoteModel, directory: Path, progress: Progress | None = None) -> int:
    """Fetch what isn't there yet, and return how many bytes that was. Raises FetchError, and OSError."""
    check_place(model, directory)
    done = 0
    for remote_file in model.files:
        path = directory / remote_file.path
        if path.exists():
            continue
        atomic.make_directories(path.parent)
        with atomic.draft(path) as made:
            with made.open("wb") as file, _asked(model.url + remote_file.path) as answer:
                if answer is None:
                    raise FetchError("{url}{path} is gone.", url=model.url, path=remote_file.path)
                size, result, expected = 0, sha256(), _digest_of(answer)
                while chunk := answer.read(CHUNK):
                    size += len(chunk)
                    result.update(chunk)
                    if size > (MOST_UNSAID if remote_file.bytes is None else remote_file.bytes):
                        raise FetchError(
                            "{path} goes on beyond the {size} bytes it may have.",
                            path=remote_file.path,
                            size=f"{size - len(chunk):,}",
                        )
                    file.write(chunk)
                    if progress:
                        progress(done + size, max(model.bytes, done + size), remote_file.path)
            if remote_file.bytes is not None and size != remote_file.bytes:
                raise FetchError(
                    "{path} has {bytes} bytes, and {size} came. The same command fetches it again.",
                    path=remote_file.path,
                    bytes=f"{remote_file.bytes:,}",
                    size=f"{size:,}",
                )
            if expected not in (None, result.digest()):
                raise FetchError(
                    "{path} isn't what the server says it is: its SHA-256 is {actual}, not "
                    "{wanted}. The same command fetches it again; if that fails too, don't use "
                    "it.",
                    path=remote_file.path,
                    actual=result.hexdigest(),
                    wanted=expected.hex(),
                )
            atomic.publish(made, path, replace=False)
            done += size
    return done


def _look(base: str, path: str) -> RemoteFile | None:
    """Return a file that may be there, without its content."""
    with _asked(base + path, "HEAD") as answer:
        if answer is None:
            return None
        length = answer.headers.get("Content-Length") or ""
        return RemoteFile(path, int(length) if length.isdecimal() else None)


def _is_static(base: str) -> bool:
    try:
        with _asked(base + CONFIG) as answer:
            result = json.loads(answer.read(LONGEST_CONFIG)) if answer else {}
    except ValueError:
        return False
    return isinstance(result, dict) and result.get("model_type") == STATIC_TYPE


def _digest_of(answer: HTTPResponse) -> bytes | None:
    """Return the SHA-256 that a server tells of a file; None where it tells none."""
    for name in (LINKED, "ETag"):
        if match := HEXADECIMAL.fullmatch(answer.headers.get(name) or ""):
            return bytes.fromhex(match[1])
    for name in ("Repr-Digest", "Content-Digest", "Digest"):
        if match := DIGEST.search(answer.headers.get(name) or ""):
            return b64decode(match[1])
    return None


class _Redirects(HTTPRedirectHandler):
    """Follows where a server leads, to its storage as a rule; never to what anybody can read along."""

    def __init__(self) -> None:
        self.linked = ""
        """What the server that leads elsewhere tells of the file there."""

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        self.linked = headers.get(LINKED) or self.linked
        allowed = ("https",) if urlsplit(req.full_url).scheme == "https" else ("http", "https")
        if urlsplit(newurl).scheme not in allowed:
            raise URLError(_("it leads to {url}, which isn't https", url=newurl))
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None:
            request.method = req.get_method()
        return request


@contextmanager
def _asked(url: str, method: str = "GET") -> Iterator[HTTPResponse | None]:
    """Have the answer of a server; None where it has no such file."""
    try:
        redirects = _Redirects()
        with build_opener(redirects).open(Request(url, method=method), timeout=SECONDS) as answer:
            if redirects.linked and LINKED not in answer.headers:
                answer.headers[LINKED] = redirects.linked
            yield answer
    except HTTPError as error:
        error.close()
        if error.code not in (404, 410):
            sentence = (
                _(
                    "{url} can't be fetched (HTTP {code}). A model that is private, or isn't there, "
                    "is refused so.",
                    url=url,
                    code=error.code,
                )
                if error.code in (401, 403)
                else _("{url} can't be fetched (HTTP {code}).", url=url, code=error.code)
            )
            raise FetchError(sentence) from error
        yield None
    except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
        why = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise FetchError(
            "{url} can't be fetched ({why}). Name a mirror with --from, or a directory "
            "that holds the model already: `mem embeddings set static --directory DIR`.",
            url=url,
            why=why,
        ) from error

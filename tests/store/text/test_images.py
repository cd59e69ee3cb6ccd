"""An image is a line: its kind, its size, and where it lies."""

import json
import random
from base64 import b64encode

import pytest

from memtui.store.capture.ingest.cleaning import clean_event, clean_text
from memtui.store.text.images import without_images

BYTES = random.Random(5).randbytes(150 * 1024)
PNG = b64encode(b"\x89PNG\r\n\x1a\n" + BYTES).decode()
JPEG = b64encode(b"\xff\xd8\xff\xe0" + BYTES).decode()


@pytest.mark.parametrize(
    "document",
    [
        {"type": "image", "data": PNG, "mimeType": "image/png"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
        {"type": "image", "file": {"base64": PNG, "type": "image/png", "originalSize": 9}},
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
        {"image_url": {"url": f"data:image/png;charset=utf-8;base64,{PNG}"}},
        [{"b64_json": PNG}],
        f'shot: {{"type":"image","data":"{PNG}"}} done',
        f"![shot](data:image/png;base64,{PNG})",
        "\n".join(PNG[at : at + 76] for at in range(0, len(PNG), 76)),
    ],
)
def test_an_image_is_a_line(document: object) -> None:
    text = json.dumps(without_images(document))
    assert "image/png, 15" in text
    assert len(text) < 300


def test_it_is_said_where_an_image_lies() -> None:
    made = without_images({"data": JPEG, "path": "/home/dev/shot.jpg", "text": "Took it"})
    assert made == {"path": "/home/dev/shot.jpg", "text": "Took it\nimage/jpeg, 150 KB, /home/dev/shot.jpg"}


def test_a_list_of_bytes_is_a_line() -> None:
    made = without_images({"type": "Buffer", "data": list(BYTES[:4_096])})
    assert made == {"type": "Buffer", "data": "a file, 4 KB"}


@pytest.mark.parametrize(
    "document",
    [
        {"content": "def read():\n    return 1\n" * 100},
        {"data": "word " * 400},
        {"data": "a" * 900},
        {"content": "/home/dev/some/path/" * 60},
        {"data": "iVBORw0KGgo short"},
        [1, 2, 3] * 20,
        {"text": "base64, as a word: " * 50},
    ],
)
def test_what_is_no_image_stays(document: object) -> None:
    assert without_images(document) == document


def test_an_event_with_an_image_is_short_before_anything_is_looked_for() -> None:
    event = {"tool_response": [{"type": "text", "text": "Took it"}, {"type": "image", "data": PNG}]}
    cleaned = clean_event(json.dumps(event).encode(), b"/", b"")
    assert cleaned is not None
    assert len(cleaned[0]) < 300
    assert b"image/png, 150 KB" in cleaned[0]
    assert "image/png" in clean_text(f"look at data:image/png;base64,{PNG}")

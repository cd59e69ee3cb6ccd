"""Images and other files in the texts of an event: a line in place of what no one reads."""

from __future__ import annotations

import re

from .late_pattern import late_pattern

SHORTEST = 400
"""Characters of a text in base64 that is left out."""
BYTES = 256
"""Numbers of a list that are taken for the bytes of a file."""

MAGIC = {
    "iVBORw0KGg": "image/png", "/9j/": "image/jpeg", "R0lGOD": "image/gif", "UklGR": "image/webp",
    "Qk0": "image/bmp", "AAABAA": "image/x-icon", "SUkqA": "image/tiff", "PHN2Zy": "image/svg+xml",
    "JVBERi0": "application/pdf", "UEsDB": "application/zip", "H4sI": "application/gzip",
    "AAAAI": "video/mp4", "AAAAG": "video/mp4", "AAAAH": "image/avif", "SUQz": "audio/mpeg",
    "T2dnUw": "audio/ogg",
}  # fmt: skip
"""The kinds of files by how they begin in base64."""
TELLING = ("iVBORw0KGg", "/9j/", "R0lGOD", "UklGR", "JVBERi0")
"""Beginnings that stand in no other text by chance."""

DATA = ("data", "base64", "blob", "b64_json", "bytes", "image", "content")
KINDS = ("mimeType", "mime_type", "media_type", "mediaType", "contentType", "content_type", "type")
PLACES = ("path", "file_path", "filePath", "filename", "uri", "url", "savedPath", "saved_path")

_ADDRESS = late_pattern(
    r"data:([a-z]+/[\w.+-]+)?(?:;[\w=.-]+)*;base64,([A-Za-z0-9+/_\s\\-]{64,}={0,2})", re.IGNORECASE
)
_BARE = late_pattern(
    rf"(?<![A-Za-z0-9+/=])(?:{'|'.join(TELLING)})(?:[A-Za-z0-9+/]|\\?\r|\\?\n|\\[rn])"
    rf"{{{SHORTEST},}}={{0,2}}"
)
_BASE64 = late_pattern(r"[A-Za-z0-9+/_\r\n-]+={0,2}\s*")


def without_images(document: object) -> object:
    """Return a copy of a JSON document in which a line stands for each image or other file: its kind, its
    size, and where it lies if that is said beside it. Texts without any are the same."""
    if isinstance(document, str):
        return without_image_texts(document)
    if isinstance(document, list):
        if len(document) >= BYTES and all(type(entry) is int and 0 <= entry < 256 for entry in document):
            return _line("a file", len(document))
        return [without_images(item) for item in document]
    if not isinstance(document, dict):
        return document
    field = next((word for word in DATA if is_data(document.get(word))), None)
    if field is None:
        return {key: without_images(value) for key, value in document.items()}
    data = str(document[field])
    said = (document.get(name) for name in KINDS)
    kind = next((one for one in said if isinstance(one, str) and "/" in one), None)
    where = next((at for name in PLACES if isinstance(at := document.get(name), str)), "")
    line = _line(kind or kind_of(data) or "a file", len(data) * 3 // 4, where)
    rest = {key: without_images(value) for key, value in document.items() if key != field}
    text = rest.get("text")
    return rest | {"text": f"{text}\n{line}" if isinstance(text, str) and text else line}


def without_image_texts(text: str) -> str:
    """Return a text with a line in place of each file in base64 that it holds."""
    if len(text) < SHORTEST:
        return text
    if "base64," in text:
        text = _ADDRESS.sub(lambda match: f"[{_line(match[1] or 'a file', len(match[2]) * 3 // 4)}]", text)
    if any(mark in text for mark in TELLING):
        text = _BARE.sub(lambda result: f"[{_line(kind_of(result[0]), len(result[0]) * 3 // 4)}]", text)
    return text


def is_data(value: object) -> bool:
    """Return whether a value is a long text in base64, and no text that anybody reads."""
    if not isinstance(value, str) or len(value) < SHORTEST or " " in value[:SHORTEST]:
        return False
    if value.startswith("data:"):
        return False
    # Words and paths have no such mixture; the whole is looked at once it looks so.
    head = value[:SHORTEST]
    mixed = any(map(str.isdigit, head)) and any(map(str.isupper, head)) and any(map(str.islower, head))
    return mixed and _BASE64.fullmatch(value) is not None


def kind_of(data: str) -> str:
    """Return the kind of a file by how it begins in base64; "" for an unknown one."""
    return next((kind for mark, kind in MAGIC.items() if data.startswith(mark)), "")


def _line(kind: str, size: int, where: str = "") -> str:
    amount = f"{size / 1024:,.0f} KB" if size >= 1024 else f"{size} bytes"
    return ", ".join(filter(None, (kind, amount, where)))

"""The icon: the browser's list as three lines, the second one selected, and the sign of its query line."""

from __future__ import annotations

import struct
import zlib

from memtui.tui.startup.palette import DARK

SIZE = 512
CORNER = 96
LINES = (
    (96, 216, 320, 40, DARK["accent"]),
    (96, 296, 240, 40, DARK["primary"]),
    (96, 376, 280, 40, DARK["secondary"]),
)
"""Left, top, width, height and colour."""
SIGN = 96, 96, 72
"""Left, top and height of ❯."""


def png() -> bytes:
    """Return the icon as a PNG of 512 by 512 pixels."""
    rows = b"".join(b"\0" + b"".join(_pixel(x, y) for x in range(SIZE)) for y in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _pixel(x: int, y: int) -> bytes:
    # How far it is outside of the square that the corners' circles stand on.
    beyond = [max(CORNER - at, at - (SIZE - 1 - CORNER), 0) for at in (x, y)]
    if beyond[0] ** 2 + beyond[1] ** 2 > CORNER**2:
        return bytes(4)
    return bytes.fromhex(_colour(x, y).removeprefix("#")) + b"\xff"


def _colour(x: int, y: int) -> str:
    left, top, height = SIGN
    if top <= y < top + height and 0 <= x - left - (height // 2 - abs(y - top - height // 2)) < height // 3:
        return DARK["accent"]
    for at, above, width, thickness, colour in LINES:
        if at <= x < at + width and above <= y < above + thickness:
            return colour
    return DARK["background"]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

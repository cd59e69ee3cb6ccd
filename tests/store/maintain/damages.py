"""Ways in which a file is damaged, each made by a seeded random generator."""

from collections.abc import Callable
from random import Random

PAGE = 4_096

Damage = Callable[[bytearray, Random], bytes]


def zeroed_page(content: bytearray, random: Random) -> bytes:
    page = random.randrange(len(content) // PAGE)
    content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    return bytes(content)


def random_page(content: bytearray, random: Random) -> bytes:
    page = random.randrange(len(content) // PAGE)
    content[page * PAGE : (page + 1) * PAGE] = random.randbytes(PAGE)
    return bytes(content)


def many_pages(content: bytearray, random: Random) -> bytes:
    for _ in range(8):
        random_page(content, random)
    return bytes(content)


def swapped_pages(content: bytearray, random: Random) -> bytes:
    one, other = (random.randrange(len(content) // PAGE) * PAGE for _ in range(2))
    held = content[one : one + PAGE]
    content[one : one + PAGE] = content[other : other + PAGE]
    content[other : other + PAGE] = held
    return bytes(content)


def flipped_bits(content: bytearray, random: Random) -> bytes:
    for _ in range(random.randrange(1, 300)):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    return bytes(content)


def zeroed_range(content: bytearray, random: Random) -> bytes:
    begin = random.randrange(len(content))
    end = min(len(content), begin + random.randrange(40_000))
    content[begin:end] = bytes(end - begin)
    return bytes(content)


def torn_header(content: bytearray, random: Random) -> bytes:
    length = random.randrange(1, 200)
    content[:length] = random.randbytes(length)
    return bytes(content)


def truncated(content: bytearray, random: Random) -> bytes:
    return bytes(content[: random.randrange(len(content))])


def shifted(content: bytearray, random: Random) -> bytes:
    place = random.randrange(len(content))
    return bytes(content[:place]) + random.randbytes(random.randrange(1, 700)) + bytes(content[place:])


def longer(content: bytearray, random: Random) -> bytes:
    return bytes(content) + random.randbytes(random.randrange(20_000))


DAMAGES: tuple[Damage, ...] = (
    zeroed_page, random_page, many_pages, swapped_pages, flipped_bits, zeroed_range, torn_header,
    truncated, shifted, longer,
)  # fmt: skip

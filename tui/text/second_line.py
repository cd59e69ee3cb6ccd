"""What a second line says of a memory in a list, where it says something; imports no Textual, since the
first frame asks it too.
"""

from __future__ import annotations

from memtui.store import Hit, Snippet

ELLIPSIS = "…"
LEAST = 3
"""Characters that are worth a line."""


def second_line(hit: Hit) -> Snippet | None:
    """Return the passage of a hit that its title doesn't say already; None where one line says it all.

    Of a passage that begins with the title only what goes on from there is left.
    """
    snippet, title = hit.snippet, hit.row.title.strip()
    said = snippet.text.strip().strip(ELLIPSIS).strip()
    if said in title:
        return None
    start = snippet.text.find(said)
    if said.startswith(title):
        start += len(title)
        start += len(snippet.text[start:]) - len(snippet.text[start:].lstrip(" \t\r\n.:;,-–—"))
    else:
        start = 0
    text = snippet.text[start:].rstrip()
    if len(text.strip(ELLIPSIS)) < LEAST:
        return None
    spans = [(low - start, high - start) for low, high in snippet.spans if low >= start]
    return Snippet(text, tuple(one for one in spans if one[1] <= len(text)))

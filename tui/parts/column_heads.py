"""The heads of columns, as a list with columns shows them above its rows.

A list sets `has_heads` and returns them from `render_heads`, made of the widths its rows are made of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from textual.content import Content

from ..text.content import GAP, fit, plain, right_aligned


def column_heads(
    widths: Mapping[str, int],
    names: Mapping[str, str] | None = None,
    *,
    right: Collection[str] = (),
    lead: int = 0,
) -> Content:
    """Return one line with the head of each column in `widths`, in that order, as many cells wide.

    A column is called as `names` says, else by its key; `` has no head. Those in `right` stand at its right
    end, as numbers do. `lead` blank cells come before the first.
    """
    names = names or {}
    heads = []
    for column, width in widths.items():
        head = plain(names.get(column, column))
        heads.append(fit(right_aligned(head, width) if column in right else head, width))
    return Content(" " * lead) + GAP.join(heads)

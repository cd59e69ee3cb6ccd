"""How a row of a list looks, whatever it holds: bar, cursor background, placeholder."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from .row_view import RowView

BAR = "▌"
PLACEHOLDER = "…"

COMPONENTS = {
    "paged-list--cursor",
    "paged-list--cursor-blur",
    "paged-list--bar",
    "paged-list--dim",
}
CSS = """
PagedList {
    & > .paged-list--cursor { background: $block-cursor-blurred-background 60%; }
    & > .paged-list--cursor-blur { background: $boost; }
    & > .paged-list--bar { color: $foreground 60%; }
    & > .paged-list--dim { color: $foreground 50%; }
    &:focus > .paged-list--bar { color: $text-primary; }
}
"""


def paint_row(view: RowView, lines: Sequence[Content] | None, selected: bool) -> list[Strip]:
    """The strips of a row: `lines` after the bar of the selected row, or after a blank cell.

    None paints the placeholder of a row that isn't loaded. What is too wide is cut, what is
    missing blank.
    """
    base, edge = view.visual_style, Content(" ")
    if selected:
        focus = "" if view.has_focus else "-blur"
        base = view.get_visual_style(f"paged-list--cursor{focus}")
        edge = Content.styled(BAR, view.get_visual_style("paged-list--bar", partial=True))
    if lines is None:
        dim = view.get_visual_style("paged-list--dim", partial=True)
        lines = [Content.styled(PLACEHOLDER, dim)]
    blanks = [Content()] * (view.row_height - len(lines))
    width = view.scrollable_content_region.width
    return [_strip(edge + line, width, base) for line in (*lines[: view.row_height], *blanks)]


def _strip(content: Content, width: int, base: Style) -> Strip:
    rendered = content.render(base, end="")
    strip = Strip([Segment(text, style.rich_style) for text, style in rendered if text])
    return strip.adjust_cell_length(width, base.rich_style)

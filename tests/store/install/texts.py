"""Configurations as people and programs write them: any value, in any layout, with comments."""

import json
from typing import Any

from hypothesis import strategies as st

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=8)
    | st.sampled_from(["// none", "/* none", '"', "\\", "{", "},", "mem hook", "日本"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ENTRIES = st.lists(VALUES | st.just({"hooks": [{"type": "command", "command": "lint"}]}), max_size=3)
HOOKS = st.dictionaries(st.sampled_from(["Stop", "SessionStart", "Other"]), ENTRIES, max_size=3)
SETTINGS = st.builds(
    lambda values, hooks: values if hooks is None else {**values, "hooks": hooks},
    st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES, max_size=3),
    st.none() | HOOKS,
)
BLANKS = ("", "", "", " ", "\n", "\n  ", "\t", "\r\n\t", "\n\n")
COMMENTS = ("// one, {\n", " /* two ] */", "\n    // three\n  ", "/* four\n */ ", "// \U0001f642\r\n")


@st.composite
def written(draw: st.DrawFn, settings: st.SearchStrategy[Any] = SETTINGS) -> str:
    """A JSON text of some settings; in half of them with comments and trailing commas."""
    value = draw(settings)
    if draw(st.booleans()):
        indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
        text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
        return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) + draw(
            st.sampled_from(["", "\n", "\n\n"])
        )
    gaps = st.sampled_from(BLANKS if draw(st.booleans()) else (*BLANKS, *COMMENTS))
    has_commas_behind = draw(st.booleans())

    def put(inner: Any) -> str:
        if isinstance(inner, dict):
            return held("{}", [f"{json.dumps(key)}{draw(gaps)}:{put(one)}" for key, one in inner.items()])
        if isinstance(inner, list):
            return held("[]", [put(one) for one in inner])
        return draw(gaps) + json.dumps(inner)

    def held(brackets: str, items: list[str]) -> str:
        parts = [draw(gaps) + item + draw(gaps) for item in items]
        behind = "," + draw(gaps) if parts and has_commas_behind else ""
        return draw(gaps) + brackets[0] + (",".join(parts) + behind or draw(gaps)) + brackets[1]

    return put(value) + draw(gaps)

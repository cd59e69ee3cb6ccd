"""What `mem search --explain` tells: how a query was understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .times import local_time

if TYPE_CHECKING:
    from ..search.query import Query, Term

Json = dict[str, object]


def understood_json(query: Query) -> Json:
    """The parts of a query; `clauses` are lists of alternatives of which each needs one match."""
    return {
        "clauses": [[term_json(term) for term in clause] for clause in query.clauses],
        "excluded": [term_json(term) for term in query.excluded],
        "filters": [
            {"name": one.name, "values": list(one.values), "negated": one.negated}
            for one in query.filters
        ],
        "flags": sorted(query.flags),
        "since": query.since,
        "until": query.until,
        "sort": query.sort or "relevance",
    }


def term_json(term: Term) -> Json:
    """A term as it is compared: its text, the field it has to stand in, whether it was quoted."""
    return {"text": term.text, "field": term.field, "phrase": term.phrase}


def explanation(query: Query, ranked: int | None = None) -> str:
    """The parts of a query in a few lines, for people; `ranked` as in the results."""
    lines = ["find " + " or ".join(map(told, clause)) for clause in query.clauses]
    lines += [f"without {told(term)}" for term in query.excluded]
    for one in query.filters:
        subject = "" if one.name == "is" else f"{one.name} is "
        lines.append(f"{subject}{'not ' if one.negated else ''}{' or '.join(one.values)}")
    lines += [f"only {flag}" for flag in sorted(query.flags)]
    if query.since is not None:
        lines.append(f"from {local_time(query.since)}")
    if query.until is not None:
        lines.append(f"before {local_time(query.until)}")
    lines.append(order(query, ranked))
    return "\n".join(lines)


def order(query: Query, ranked: int | None) -> str:
    """In which order the hits come."""
    pinned = "pinned first, " if query.sort == "pinned" else ""
    if query.is_filter_only or query.sort == "recent":
        return pinned + "newest first"
    if ranked is not None:
        return f"{pinned}the newest {ranked:,} best first, then the rest newest first"
    return pinned + "best first"


def told(term: Term) -> str:
    """A term in a sentence."""
    return f'"{term.text}"' + (f" in {term.field}" if term.field else "")

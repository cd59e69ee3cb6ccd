"""What `mem search --explain` prints: how a query was understood, and why each hit is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...platform.clock import local_time
from ...platform.translation import _
from ...text.truncation import shortened

if TYPE_CHECKING:
    from ... import Hit, Why
    from ...search.query.language import Query, Term


Json = dict[str, object]

NEAREST = 160
"""Characters that are shown of the passage that is near in meaning."""

WhyJson = dict[str, object]


def understood_json(query: Query) -> Json:
    """Return the parts of a query; `clauses` are lists of alternatives of which each needs one match,
    `unapplied` the words that name a time and are none of its filters, null where there are none."""
    return {
        "clauses": [[term_json(term) for term in clause] for clause in query.clauses],
        "excluded": [term_json(term) for term in query.excluded],
        "filters": [
            {"name": item.name, "values": list(item.values), "negated": item.negated}
            for item in query.filters
        ],
        "flags": sorted(query.flags),
        "since": query.since,
        "until": query.until,
        "unapplied": query.unapplied or None,
        "similar": query.similar or None,
        "sort": query.sort or "relevance",
    }


def term_json(term: Term) -> Json:
    """Return a term as it is compared: its text, the field it has to stand in, whether it was quoted, and
    `negated` where a text must not hold it, `in_other_characters` where it wasn't typed so."""
    content: Json = {"text": term.text, "field": term.field, "phrase": term.phrase}
    if term.in_other_characters:
        content["in_other_characters"] = True
    return content | {"negated": True} if term.negated else content


def explanation(query: Query, ranked: int | None = None, *, by_meaning: bool | None = None) -> str:
    """Return the parts of a query in a few lines, for people; `ranked` and `by_meaning` as in the results,
    None where there are none."""
    typed = query.as_typed
    lines = [_("find {terms}", terms=_(" or ").join(map(term_text, clause))) for clause in typed.clauses]
    lines += [_("without {term}", term=term_text(term)) for term in typed.excluded]
    for item in query.filters:
        values = _(" or ").join(item.values)
        if item.name == "is":
            lines.append(_("not {values}", values=values) if item.negated else values)
        elif item.negated:
            lines.append(_("{name} is not {values}", name=item.name, values=values))
        else:
            lines.append(_("{name} is {values}", name=item.name, values=values))
    lines += [_("only {flag}", flag=flag) for flag in sorted(query.flags)]
    if query.since is not None:
        lines.append(_("from {time}", time=local_time(query.since)))
    if query.until is not None:
        lines.append(_("before {time}", time=local_time(query.until)))
    if query.similar:
        lines.append(_("like {similar}", similar=query.similar))
    lines.append(order(query, ranked, by_meaning=by_meaning))
    return "\n".join(lines)


def order(query: Query, ranked: int | None, *, by_meaning: bool | None = None) -> str:
    """Return in which order the hits come, in words."""
    pinned = _("pinned first, ") if query.sort == "pinned" else ""
    if query.sort == "oldest":
        return _("oldest first")
    if query.sort == "told":
        return _("most often told first")
    if query.is_filter_only or query.is_by_time:
        return pinned + _("newest first")
    if (query.sort == "meaning" or query.similar) and by_meaning is not False:
        return pinned + _("nearest in meaning first")
    if query.similar:
        return pinned + _("most words in common first")
    if ranked is not None:
        return _(
            "{pinned}the newest {ranked} best first, then the rest newest first",
            pinned=pinned,
            ranked=f"{ranked:,}",
        )
    return pinned + _("best first")


def term_text(term: Term) -> str:
    """Return a term as it stands in a sentence."""
    text = f'"{term.text}"'
    if term.field:
        text = _("{term} in {field}", term=text, field=term.field)
    return _("not {term}", term=text) if term.negated else text


def why_json(why: Why, rank: int) -> WhyJson:
    """Return the rank of a hit (from 1), and of each matched term how often each field holds it.

    A term's score is its part of the whole; null for one that only stands inside words. A related
    hit has `parts`, which its score is the sum of.
    """
    content: WhyJson = {
        "rank": rank,
        "tier": why.tier,
        "score": why.score,
        "terms": [
            {"term": matched.term, "columns": dict(matched.places), "score": matched.score}
            for matched in why.terms
        ],
    }
    if why.nearest:
        content["nearest"] = why.nearest
    return content | {"parts": dict(why.parts)} if why.parts else content


def why_lines(why: Why, hit: Hit, rank: int) -> Iterator[str]:
    """Yield a line on the hit for people, and one for each matched term."""
    score = _("score {shown}", shown=_shown(why.score)) if why.score else _("not ranked")
    if why.parts:
        score += f" ({' + '.join(f'{_(name)} {_shown(part)}' for name, part in why.parts)})"
    if hit.similarity is not None:
        score += _(", similarity {similarity}", similarity=f"{hit.similarity:.2f}")
    yield f"{rank}. {hit.row.ref}  {_(why.tier)}, {score}  {hit.row.title}"
    if why.nearest:
        yield f"{'~':>8}  " + _(
            "near in meaning: {passage}", passage=shortened(" ".join(why.nearest.split()), NEAREST)
        )
    for matched in why.terms:
        places = ", ".join(f"{_(column)} {count}" for column, count in matched.places)
        if matched.score is None:
            where = _('"{term}" in {places}, only inside words', term=matched.term, places=places)
            yield f"{'-':>8}  {where}"
        else:
            where = _('"{term}" in {places}', term=matched.term, places=places)
            yield f"{_shown(matched.score):>8}  {where}"


def _shown(score: float) -> str:
    """A score to two places; a word that most memories hold counts for next to nothing."""
    return "<0.01" if 0 < score < 0.005 else f"{score:.2f}"

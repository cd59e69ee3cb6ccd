"""`mem stats`: what the store holds, and how that came to be over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

from ...cli import arguments
from ...cli.command import Call, ReadingCommand, group
from ...cli.output.console import Row, localized, print_block, print_gap, print_json, print_rows
from ...cli.output.serializers import Json
from ...cli.typer_later import typer
from ...platform.clock import local_time, now_ms
from ...platform.translation import N_, _
from ...records.dataclasses import asdict
from ...text.plural import count_noun
from .counts import Division, RangeName

if TYPE_CHECKING:
    from ...store import Store
    from .spending import Cost, Spent, SpentBy

app = group()

SPENT_BY: tuple[SpentBy, ...] = ("model", "project", "session")
TOKENS = ("input", "output", "cache_read", "cache_written")
DEAREST = 12
"""How many models, projects and sessions are named, those that cost the most."""
LABELS = {
    "pending": N_("waiting"),
    "reply_characters": N_("characters of replies"),
    "first_at": N_("first"),
    "last_at": N_("last"),
    "deleted": N_("in the trash"),
}
"""What figures are called where their names in JSON say less."""
COST_HEADS = (
    "cost by",
    "value",
    "input",
    "output",
    "cache read",
    "cache written",
    "dollars",
)


@app.command(cls=ReadingCommand)
def stats(
    call: Call,
    range: Annotated[
        RangeName, typer.Option("--range", help="How many days the rest is of, up to today.")
    ] = "year",
    project: arguments.OfProject = None,
) -> None:
    """Count what the store holds, in all and by time, type, project and agent, and what it cost.

    The totals are of the whole store, the rest of a range of days and of a project. Tokens are those
    that transcripts tell, dollars what they cost by list prices, or by [prices] of config.toml. With
    --json an object, with that rest in its `statistics`.
    """
    with call.reading() as store:
        results = {"path": str(call.path if call.past else store.path), **asdict(store.stats())}
        if not call.json:
            # The rest may take a while.
            print_block(
                _("store"),
                ((LABELS.get(name, name), _written(name, value)) for name, value in results.items()),
            )
        statistics = statistics_json(store, range, project)
    if call.json:
        print_json({**results, "statistics": statistics})
        return
    print_gap()
    print_block(_("statistics, {period}", period=_title(statistics)), _totals(statistics))
    print_gap()
    print_rows(("counted by", "value", "memories"), _rows(statistics), wide="value", right=("memories",))
    if rows := list(_cost_rows(statistics)):
        print_gap()
        print_rows(COST_HEADS, rows, wide="value", right=COST_HEADS[2:], has_head=True)


def _written(name: str, value: object) -> str:
    if name in ("first_at", "last_at"):
        return local_time(value) if isinstance(value, int) else ""
    if name == "bytes" and isinstance(value, int):
        return f"{value:,} ({value / 1e6:,.1f} MB)"
    return f"{value:,}" if isinstance(value, int) else str(value)


def statistics_json(store: Store, range: RangeName, project: str | None) -> Json:
    """Return the figures of a range, of one project or of all (None).

    Days without any are left out; `by_step` are the counts of the stretches that begin at `steps`.
    """
    from ...config.prices import prices
    from ...database.transaction import snapshot
    from . import counts, spending

    with snapshot(store.db):
        db, period = store.db, counts.period_of(store.db, range, now_ms(), project)
        memories = counts.memories_by_day(db, period, project)
        sessions = counts.sessions_by_day(db, period, project)
        discovered = spending.discovery_by_day(db, period, project)
        content = spending.given_tokens(store, period, project)
        labels = counts.Labels()
        for days in counts.label_slices(db, memories):
            labels.add(counts.labels_of(db, period, memories, days, project))
        busiest = labels.busiest
        held = counts.growth(db, period, memories, project)
        divided = counts.divisions(db, period, project)
        spent = spending.spending(db, period, project)
        listed = prices()
        dearest = {by: spending.costs(spent, listed, by) for by in SPENT_BY}
        titles = store.sessions.titles(int(item.value[1:]) for item in dearest["session"][:DEAREST])
    names = "memories", "sessions", "tokens_discovered", "tokens_told"
    by_day = list(zip(memories, sessions, discovered, content.by_day, strict=True))
    return {
        "range": range,
        "project": project,
        "since": str(period.first),
        "until": str(period.day(period.days - 1)),
        "memories": sum(memories),
        "sessions": sum(sessions),
        "tokens": {
            "discovered": sum(discovered),
            "told": sum(content.by_day),
            "contexts": content.contexts,
            "discovered_for_told": content.discovered_for,
            "log_since": content.since,
        },
        "unit": period.unit,
        "steps": [str(period.day(first)) for first in period.steps],
        "days": [
            {"day": str(period.day(number)), **dict(zip(names, values, strict=True))}
            for number, values in enumerate(by_day)
            if any(values)
        ],
        "by_type": _division_json(divided["type"]),
        "by_project": _division_json(divided["project"]),
        "by_agent": _division_json(divided["agent"]),
        "files": [{"value": value, "memories": many} for value, many in busiest.files],
        "concepts": [{"value": value, "memories": many} for value, many in busiest.concepts],
        "growth": [
            {"until": str(period.day(period.days_of_step(step)[1])), "memories": many}
            for step, many in enumerate(held)
        ],
        "cost": {
            "prices_of": listed.date,
            **_cost_json(spending.cost(spent, listed)),
            **{
                f"by_{by}": [_named_cost(item, by, titles) for item in items[:DEAREST]]
                for by, items in dearest.items()
            },
            "by_day": [
                {"day": str(period.day(day)), **_cost_json(spending.cost(items, listed))}
                for day, items in spent_by_day(spent)
            ],
        },
    }


def spent_by_day(spent: Iterable[Spent]) -> Iterator[tuple[int, list[Spent]]]:
    """Yield the days on which anything was spent, by their numbers, and what was."""
    ordered = sorted(spent, key=lambda item: item.day)
    for day, items in groupby(ordered, lambda item: item.day):
        yield day, list(items)


def _cost_json(cost: Cost) -> Json:
    tokens = {name: getattr(cost.usage, name) for name in TOKENS}
    hour = {"cache_written_for_an_hour": cost.usage.cache_hour}
    return {"dollars": round(cost.dollars, 4), **tokens, **hour, "unpriced": cost.unpriced}


def _named_cost(cost: Cost, by: SpentBy, titles: Mapping[int, str]) -> Json:
    name: Json = {by: cost.value}
    if by == "session":
        name["title"] = titles.get(int(cost.value[1:]), "")
    return {**name, **_cost_json(cost)}


def _division_json(division: Division) -> Json:
    return {
        "values": [
            {"value": bar.value, "memories": bar.memories, "by_step": list(bar.by_step)}
            for bar in division.bars
        ],
        "more": division.more,
    }


def _title(figures: Json) -> str:
    values = {"since": figures["since"], "until": figures["until"], "project": figures["project"]}
    if figures["project"] is None:
        return _("{since} to {until}", **values)
    if not figures["project"]:
        return _("{since} to {until} of no project", **values)
    return _("{since} to {until} of {project}", **values)


def _totals(figures: Json) -> Iterator[tuple[str, str]]:
    days, tokens = figures["days"], figures["tokens"]
    assert isinstance(days, list)
    assert isinstance(tokens, dict)
    yield N_("memories"), f"{figures['memories']:,}"
    yield N_("sessions"), f"{figures['sessions']:,}"
    if days:
        busiest = max(days, key=lambda day: (day["memories"], day["day"]))
        yield N_("busiest day"), f"{busiest['day']} ({count_noun(busiest['memories'], 'memories')})"
    yield N_("tokens to discover"), f"{tokens['discovered']:,}"
    given, contexts = f"{tokens['told']:,}", f"{tokens['contexts']:,}"
    yield (
        N_("tokens told"),
        _(
            "{tokens} (in {contexts} contexts, since {time})",
            tokens=given,
            contexts=contexts,
            time=local_time(tokens["log_since"]),
        )
        if tokens["log_since"]
        else _("{tokens} (in {contexts} contexts)", tokens=given, contexts=contexts),
    )
    if tokens["discovered_for_told"]:
        yield (
            N_("what was told took"),
            _("{tokens} to discover", tokens=count_noun(tokens["discovered_for_told"], "tokens")),
        )


def _rows(figures: Json) -> Iterator[Row]:
    for name in ("type", "project", "agent"):
        division = figures[f"by_{name}"]
        assert isinstance(division, dict)
        yield from _counted(name, division["values"])
        if division["more"]:
            yield Row(localized(name), _("and {more} more", more=f"{division['more']:,}"), "", below=None)
    for name in ("file", "concept"):
        values = figures[f"{name}s"]
        assert isinstance(values, list)
        yield from _counted(name, values)


def _cost_rows(figures: Json) -> Iterator[Row]:
    cost = figures["cost"]
    assert isinstance(cost, dict)
    if not any(cost[name] for name in TOKENS):
        return
    yield _cost_row("all", _("list prices of {date}", date=cost["prices_of"]), cost)
    for by in SPENT_BY:
        for item in cost[f"by_{by}"]:
            title = f" {item['title']}" if item.get("title") else ""
            yield _cost_row(by, (item[by] or _("no {by}", by=localized(by))) + title, item)


def _cost_row(by: str, value: str, cost: dict[str, Any]) -> Row:
    return Row(localized(by), value, *(f"{cost[name]:,}" for name in TOKENS), dollars_of(cost), below=None)


def dollars_of(cost: dict[str, Any]) -> str:
    """Return what something cost, `$1.20`; `$1.20+` where a part of it has no price, and `?` where all."""
    whole = sum(cost[name] for name in TOKENS)
    if whole and cost["unpriced"] == whole:
        return "?"
    return f"${cost['dollars']:,.2f}{'+' if cost['unpriced'] else ''}"


def _counted(name: str, values: Iterable[dict[str, object]]) -> Iterator[Row]:
    for value in values:
        item = str(value["value"])
        shown = localized(item) if name == "type" else item
        yield Row(
            localized(name),
            shown or _("no {by}", by=localized(name)),
            f"{value['memories']:,}",
            below=None,
        )

"""Statistics: how many memories there are by day, type, project and agent, what they took to find out,
what they are about, and what agents' models cost.

Each function is one bounded question, so that whoever paints the answers can paint them one by one
and stop in between. Private and deleted memories, and noise, count nowhere.
"""

from ...config.prices import prices
from .counts import (
    RANGES,
    Bar,
    Busiest,
    Division,
    Labels,
    Period,
    RangeName,
    divisions,
    file_size,
    growth,
    label_slices,
    labels_of,
    memories_by_day,
    no_labels,
    period_of,
    sessions_by_day,
    slices,
)
from .spending import Cost, Spent, SpentBy, cost, costs, discovered_for, discovery_by_day, spending

__all__ = [
    "RANGES",
    "Bar",
    "Busiest",
    "Cost",
    "Division",
    "Labels",
    "Period",
    "RangeName",
    "Spent",
    "SpentBy",
    "cost",
    "costs",
    "discovered_for",
    "discovery_by_day",
    "divisions",
    "file_size",
    "growth",
    "label_slices",
    "labels_of",
    "memories_by_day",
    "no_labels",
    "period_of",
    "prices",
    "sessions_by_day",
    "slices",
    "spending",
]

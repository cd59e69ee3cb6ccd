"""Statistics: how many memories there are by day, type, project and agent, what they took to find out,
and what they are about.

Each function is one bounded question, so that whoever paints the answers can paint them one by one
and stop in between. Private and deleted memories, and noise, count nowhere.
"""

from .discovery import discovered_for, discovery_by_day, slices
from .divisions import (
    Bar,
    Division,
    by_agent,
    by_project,
    by_type,
    file_size,
    growth,
    memories_by_day,
    sessions_by_day,
)
from .labels import Busiest, Labels, label_slices, labels_of, no_labels
from .periods import RANGES, Period, RangeName, period_of

__all__ = [
    "RANGES",
    "Bar",
    "Busiest",
    "Division",
    "Labels",
    "Period",
    "RangeName",
    "by_agent",
    "by_project",
    "by_type",
    "discovered_for",
    "discovery_by_day",
    "file_size",
    "growth",
    "label_slices",
    "labels_of",
    "memories_by_day",
    "no_labels",
    "period_of",
    "sessions_by_day",
    "slices",
]

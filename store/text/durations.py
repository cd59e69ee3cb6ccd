"""How long something lasted, in a few letters."""

from ..platform.translation import _


def duration(ms: int) -> str:
    """Return so many ms as `40s`, `56m`, `2h10` or `3d`."""
    seconds = max(0, ms) // 1000
    minutes = seconds // 60
    if minutes < 1:
        return _("{seconds}s", seconds=seconds)
    if minutes < 60:
        return _("{minutes}m", minutes=minutes)
    if minutes < 24 * 60:
        return _("{hours}h{minutes:02}", hours=minutes // 60, minutes=minutes % 60)
    return _("{days}d", days=minutes // (24 * 60))

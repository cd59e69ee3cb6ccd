"""How long something lasted, in a few letters."""


def duration(ms: int) -> str:
    """Return so many ms as `40s`, `56m`, `2h10` or `3d`."""
    seconds = max(0, ms) // 1000
    minutes = seconds // 60
    if minutes < 1:
        return f"{seconds}s"
    if minutes < 60:
        return f"{minutes}m"
    if minutes < 24 * 60:
        return f"{minutes // 60}h{minutes % 60:02}"
    return f"{minutes // (24 * 60)}d"

"""Stored text, times, amounts and records as the screens show them."""

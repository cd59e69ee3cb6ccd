"""Shares of later questions that the memory stores, finds and tells at hand-over."""

"""Capture: whose hooks fill this memory, what became of their events, and how quick and well that goes."""

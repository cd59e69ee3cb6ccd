"""Handing work over: a cited brief of a session, or of what a query finds, for another agent or a
colleague."""

"""`mem queue`: what waits for an observer, and working on it."""

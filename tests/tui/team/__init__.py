"""The team in the browser."""

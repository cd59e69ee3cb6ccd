"""The search: a query line, its results, and the selected memory beside them."""

"""Which documents hold a query's words."""

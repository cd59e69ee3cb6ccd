"""The query language: words, filters and dates, to a `Query` and its SQL."""

"""Search: text to Query, Query to documents, documents to ranked hits with snippets."""

"""What is shown of documents: rows of lists, snippets, the timeline."""

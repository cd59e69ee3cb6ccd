"""Pictures of the real app, made by `make screenshots`, never by hand."""

"""What several formats share: the report of an import, upserting rows, reading doubtful values,
writing files whole."""

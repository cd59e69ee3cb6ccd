"""From the command to the first paint: the frame that comes before Textual, its driver, colours,
other memories."""

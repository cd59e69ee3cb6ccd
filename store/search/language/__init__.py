"""Words that name a time, as queries use them. What a text is made of: `text.language`."""

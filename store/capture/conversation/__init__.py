"""A session as a conversation: what was asked, done and said, in order, with what its transcript adds."""

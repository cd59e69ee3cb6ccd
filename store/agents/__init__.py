"""The agents, a module each: what their hooks send, how they take an answer, where their files
lie."""

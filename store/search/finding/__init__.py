"""Finding in lists: which rows hold all of some words, anywhere and as parts of words too, and which
have arrived since someone last looked."""

"""Projects, and the repositories by which directories belong to them."""

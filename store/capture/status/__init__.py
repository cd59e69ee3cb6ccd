"""How capture is doing, and what waits in the queue."""

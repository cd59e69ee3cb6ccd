"""What agents do, on its way in: a hook's event to the spool, the spool to rows; a session as it was said,
and the demo."""

"""Files in sources/ that need the engine to be read: deals, sessions, surveys, attributions."""

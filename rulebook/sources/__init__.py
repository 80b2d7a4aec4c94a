"""Sources: found, read from their files, and put together as one library."""

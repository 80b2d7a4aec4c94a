"""Pages about the edition itself."""

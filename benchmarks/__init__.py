"""How fast the readable engine is; nothing here is a test."""

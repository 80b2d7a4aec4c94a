"""Every way in which a source can be read: worlds, decisions, and what each of them changes."""

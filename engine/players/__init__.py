"""Players who look ahead: what a player sees, lawful worlds drawn from it, and the search through them."""

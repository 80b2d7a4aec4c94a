"""Files of the site that need the game: cards, pictures."""

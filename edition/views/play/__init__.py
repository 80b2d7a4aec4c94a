"""Parts of pages on deals of cards, for any game: the tricks, and ledgers with their quotations."""

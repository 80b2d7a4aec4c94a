"""History of the game and of its texts: who copied whom, and dated attestations."""

"""What follows from the sources: ledgers in words, explanations, certainty, costs, separations."""

"""Analyses of the sources: ledgers, explanations, certainty, costs, separations."""

"""Checks: whether clauses, quotations, numbers and silences agree with the texts that they cite."""

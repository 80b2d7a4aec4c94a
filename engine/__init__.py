"""What follows: a deal is played under a ruleset, and a ledger kept."""

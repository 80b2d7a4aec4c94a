"""Settlement: who pays whom, how much and by which clause; the ledger and its result."""

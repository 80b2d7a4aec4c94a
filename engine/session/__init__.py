"""Sessions: deal after deal at one table, with the pool carried over."""

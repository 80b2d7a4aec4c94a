"""Many deals: dealt and played by lot, priced under every ruleset, and counted. Needs the extra `survey`."""

"""Survey of many random deals, priced under every ruleset, and counted. Needs the extra `survey`."""

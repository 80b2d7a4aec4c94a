"""Money and deals on the pages of topics."""

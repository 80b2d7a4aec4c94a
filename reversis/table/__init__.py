"""A table at which persons and players sit, without a screen."""

"""The command `hint`."""

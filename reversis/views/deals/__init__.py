"""Pages of deals and sessions."""

"""Citations: what can be cited, under which address, in which format."""

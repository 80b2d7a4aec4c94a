"""Comparison of rulesets: which clause moves which payment, and deals that tell readings apart."""

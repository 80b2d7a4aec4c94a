"""What the sources say: loaded, checked and resolved into rulesets."""

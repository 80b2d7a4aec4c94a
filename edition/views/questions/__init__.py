"""Pages of questions and the answers to them."""

"""The payment rules, each once, by subject; `rules` is their table of contents."""

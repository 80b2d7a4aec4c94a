"""What a deal and its settlement say, in words; it also runs in a browser."""

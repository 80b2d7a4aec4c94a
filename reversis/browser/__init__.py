"""Python in the browser: its bundle, the library that it carries, its interface."""

"""What runs in the browser: the Python bundle, the library that it carries, and its interface."""

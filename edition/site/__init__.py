"""The site: Sphinx extension, build, preview, server, static files."""

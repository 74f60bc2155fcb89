"""The product's shell: command line, server, pages, lessons and export."""

__version__ = "0.1.0"

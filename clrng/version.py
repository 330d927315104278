"""The version: the one place where it stands, from which the build and all pages have it."""

__version__ = "1.0.0rc1"

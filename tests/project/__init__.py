"""Tests of what is around the package: its documents, packages and structure."""

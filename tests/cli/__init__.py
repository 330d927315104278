"""Tests of clrng.cli."""

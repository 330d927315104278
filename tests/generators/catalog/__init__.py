"""Tests of clrng.generators.catalog."""

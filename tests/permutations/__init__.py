"""Tests of clrng.permutations."""

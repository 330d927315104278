"""Tests of clrng.frontends.permutations."""

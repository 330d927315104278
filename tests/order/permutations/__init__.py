"""Tests of clrng.order.permutations."""

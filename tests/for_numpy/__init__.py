"""Tests of clrng.for_numpy."""

"""Tests of clrng.generators.maths."""

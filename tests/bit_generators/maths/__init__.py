"""Tests of clrng.bit_generators.maths."""

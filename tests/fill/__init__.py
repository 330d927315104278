"""Tests of clrng.fill."""

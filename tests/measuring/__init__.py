"""Tests of clrng.measuring."""

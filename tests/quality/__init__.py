"""Tests of clrng.quality."""

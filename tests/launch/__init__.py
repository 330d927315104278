"""Tests of clrng.launch."""

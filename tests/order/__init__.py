"""Tests of clrng.order."""

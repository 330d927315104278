"""Tests of clrng.draws."""

"""Tests of clrng.distributions."""

"""Tests of clrng.baselines."""

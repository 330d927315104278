"""Tests of clrng.generators."""

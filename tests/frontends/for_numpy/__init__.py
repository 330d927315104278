"""Tests of clrng.frontends.for_numpy."""

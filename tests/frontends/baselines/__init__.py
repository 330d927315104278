"""Tests of clrng.frontends.baselines."""

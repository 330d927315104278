"""Tests of clrng.frontends.draws."""

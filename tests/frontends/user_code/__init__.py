"""Tests of clrng.frontends.user_code."""

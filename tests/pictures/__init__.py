"""Tests of what pictures show."""

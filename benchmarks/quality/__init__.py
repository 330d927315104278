"""Test batteries over many generators."""

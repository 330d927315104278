"""The methods that draw, in parts that front ends inherit from."""

"""What the docstrings of bit generators have in common."""

from dataclasses import replace

from clrng.documented import Common

MAKING = Common(
    arguments={
        "delta": """int
    The number of values, of any size; a negative one is backwards, where the recurrence is `reversible`.""",
        "n_children": "int\n    How many, from 0.",
        "n": "int\n    The number of steps, of any size; a negative one is backwards.",
        "number": "callable, optional\n    What writes an integer, by default `str`.",
    },
    raises={
        "TypeError": "If an argument is of the wrong type.",
        "ValueError": "If an argument is out of its range, which the message names.",
    },
    returns="BitGenerator\n    A new one of the same class.",
    example=">>> import clrng\n>>> bits = clrng.ParkMiller(seed=1)",
)
"""Of methods that make bit generators or values, or move on."""

SAYING = replace(MAKING, raises={}, returns="str")
"""Of methods that say what a generator is."""

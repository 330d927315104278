"""Functions of real numbers that have the same bits on every machine.

They use float64 +, -, *, / and square roots of NumPy alone, which IEEE 754 specifies exactly, operations on integers,
comparisons and scalings by powers of two, each element by itself and in a fixed order. NumPy's own exp, log, sum and
the like are not used: their last bits change with the processor and the release.
"""

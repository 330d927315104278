"""Powers of two as people read them, with raised exponents."""

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def power(exponent: int) -> str:
    """Return a power of two, its exponent raised."""
    return f"2{str(exponent).translate(SUPERSCRIPTS)}"


def near_power(value: int) -> str:
    """Return the power of two nearest to a large integer, with a sign where it is not equal; a short integer itself."""
    if value < 10**4:
        return str(value)
    exponent = value.bit_length() - 1
    if value - 2**exponent > 2 ** (exponent + 1) - value:
        exponent += 1
    return power(exponent) if value == 2**exponent else f"≈ {power(exponent)}"

"""What figures with a bar for each rate share: how numbers are written, and the room for text beside the bars."""


def three(value: float) -> str:
    """Return a number in three digits, or more where it is larger."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004


def bar_limits(rates: list[float], room: float) -> tuple[float, float]:
    """Return the ends of a logarithmic axis of bars, a part `room` of whose length is free beyond the longest."""
    low, high = min(rates) / 2, max(rates)
    return low, high * (high / low) ** (room / (1 - room))

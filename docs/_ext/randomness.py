"""The tables of the short battery: its tests, and what it found of every named generator."""

from measured import Row, near_power, reports, table, where

from clrng.quality import short_battery

MOST_NAMED = 3
"""The most tests that a cell names."""


def battery_tests() -> list[str]:
    """Return the tests of the short battery, with what each finds and where it is published."""
    every = [*short_battery.TESTS.items(), *short_battery.STREAM_TESTS.items()]
    return table(["test", "finds", "source"], [[name, test.finds, test.source] for name, test in every], text=3)


def battery_references() -> list[str]:
    """Return the publications that the tests are from."""
    _, listed = str(short_battery.__doc__).split("----------\n")
    return [f"- {line}" if not line.startswith(" ") else f"  {line.strip()}" for line in listed.splitlines()]


def _failed(row: Row) -> str:
    """Return the tests that failed."""
    names = [name for name, p in row["not_passed"].items() if p < short_battery.FAIL]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _stream(row: Row) -> list[str]:
    """Return the words at which a stream fails, and the tests that fail it."""
    return [near_power(row["fails_at"]) if row["fails_at"] else "passes", _failed(row["sizes"][-1])]


def battery_results() -> list[str]:
    """Return what the short battery found of every named generator, on each device where it was run."""
    lines = []
    for report in reports("short_battery"):
        lines += ["", f"{where(report)}, up to {near_power(report['most_words'])} words:", ""]
        lines += table(
            ["", "bits", "fails at words", "by", "24 bits: fails at words", "by", "jumped streams", "leapfrog"],
            [
                [
                    f"`{name}`", str(row["raw"]["bits"]), *_stream(row["raw"]), *_stream(row["float32"]),
                    row["jumped"]["verdict"], row["leapfrog"]["verdict"],
                ]
                for name, row in report["rows"].items()
            ],
            text=8,
        )  # fmt: skip
    return lines

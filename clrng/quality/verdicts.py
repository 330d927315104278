"""What test batteries found of each generator, by the records of clrng's repository.

``python benchmarks verdicts`` makes the file of them in a checkout; the page of test batteries has the rule.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

NO_FAILURE = "no failure found"
NOT_LINEAR = "for work in which bits are not combined by exclusive or"
HIGHEST = "for work that takes the highest bits alone"
NOT_LARGE = "not for large simulations"
OLD_WORK = "only to reproduce old work"
UNTESTED = "not tested"

RECOMMENDED = ("numpy_pcg64",)
"""The generators of which the records have all that a recommendation asks for."""


class Verdict(NamedTuple):
    """What the records of a generator mean: one of the words above, and a line that says what it passes or fails."""

    short: str
    said: str


FILE = Path(__file__).with_name("verdicts.json")

VERDICTS = {name: Verdict(*told) for name, told in json.loads(FILE.read_text("utf-8")).items()}
"""The verdict on each generator of which there are records, by the name that ``clrng generators`` lists."""


def verdict_of(name: str) -> Verdict:
    """Return the verdict on a generator by its name."""
    return VERDICTS.get(name, Verdict(UNTESTED, UNTESTED))


def brief_of(name: str) -> str:
    """Return the verdict on a generator as lists have it: of what passes, the large batteries that it passes."""
    short, said = verdict_of(name)
    passed = re.findall(r"(?:\d+ tests of )?(?:Small)?Crush|PractRand to \S+ bytes", said)
    return recommended(name, f"passes {', '.join(passed)}" if short == NO_FAILURE and passed else short)


def recommended(name: str, told: str) -> str:
    """Return what is told of a generator; if it is recommended, that it is."""
    return f"recommended; {told}" if name in RECOMMENDED else told

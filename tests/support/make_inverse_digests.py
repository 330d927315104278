"""Make tests/data/inverse_tables.json: ``python -m tests.support.make_inverse_digests``.

It is made again only if tables are meant to change.
"""

import json
from pathlib import Path

from clrng.distributions.quantiles.tables import InverseTable, inverse_table
from tests.support.quantile_classes import CONTINUOUS

PATH = Path(__file__).parents[1] / "data" / "inverse_tables.json"

PARAMETERS: dict[str, list[list[float]]] = {
    "standard_normal": [[]],
    "standard_exponential": [[]],
    "laplace": [[]],
    "logistic": [[]],
    "gumbel": [[]],
    "standard_cauchy": [[]],
    "rayleigh": [[]],
    "weibull": [[0.5]],
    "pareto": [[3.0]],
    "power": [[0.3]],
    "triangular": [[-1.0, 0.3, 2.0]],
    "lognormal": [[1.0], [15.0]],
    "standard_gamma": [[0.1], [2.5], [1e6], [0.001]],
    "chisquare": [[3.0]],
    "noncentral_chisquare": [[2.0, 10.0]],
    "beta": [[0.5, 0.5], [2.0, 5.0], [0.01, 0.01]],
    "f": [[5.0, 10.0], [0.5, 0.5]],
    "noncentral_f": [[3.0, 20.0, 5.0]],
    "standard_t": [[2.0], [10.0], [0.05]],
    "wald": [[1.0, 3.0]],
    "vonmises": [[4.0]],
}

SIZES = [(2**31 - 2, "float32"), (2**64, "float32"), (2**64, "float64")]


def tables() -> list[tuple[dict[str, object], InverseTable]]:
    """Return what is recorded of each table, without its digest, and the table."""
    return [
        (
            {"name": name, "parameters": parameters, "raw_values": raw_values, "dtype": dtype},
            inverse_table(CONTINUOUS[name](*parameters), raw_values, dtype),
        )
        for name, several in PARAMETERS.items()
        for parameters in several
        for raw_values, dtype in SIZES
    ]


def recorded(about: dict[str, object], table: InverseTable) -> dict[str, object]:
    """Return a row of the file."""
    return {**about, "degree": table.degree, "segment_bits": table.segment_bits, "digest": table.digest}


if __name__ == "__main__":
    rows = ",\n".join("  " + json.dumps(recorded(*row)) for row in tables())
    PATH.write_text(f"[\n{rows}\n]\n")

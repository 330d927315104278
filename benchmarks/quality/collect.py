"""Make a file of each battery on each generator from what `run_many` wrote.

    python benchmarks collect FILES.jsonl... [--results FOLDER]

Of several records of one job the last that came to its end counts, and before all others that which tested most. The 96
tests of Crush become one record. A file that is there already is replaced only by one that tested as much or more.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from clrng.quality.batteries import CRUSH_TESTS, STREAMS, usual_output

RESULTS = Path(__file__).parents[1] / "results" / "quality"

Record = dict[str, Any]


def records_in(file: Path) -> list[Record]:
    """Return the records of a file, which has one in a line; a last line that was cut off does not count."""
    lines = file.read_text().split("\n") if file.exists() else []
    return [json.loads(line) for line in lines[:-1]]


def name_of(record: Record) -> str:
    """Return the name of the file of a record: its battery, and what its words were made of where that is special."""
    battery = record["battery"]
    parts = [battery] if record["output"] == usual_output(battery) else [battery, record["output"]]
    return "-".join(parts if record["streams"] == STREAMS[0] else [*parts, record["streams"]]) + ".json"


def rank(record: Record) -> tuple[int, int, bool]:
    """Return how much a record says: more is better."""
    return len(record.get("tests", [])), record["bytes"] or 0, record["ended"]


def joined(parts: list[Record]) -> Record:
    """Return one record of several, each of one test of a battery."""
    parts = sorted(parts, key=lambda part: part["test"])
    first = parts[0]
    results = [result for part in parts for result in part["results"]]
    return {
        **first,
        "command": first["command"].replace(f" --test {first['test']}", ""),
        "tests": [part["test"] for part in parts],
        "bytes": sum(part["bytes"] for part in parts),
        "ended": len(parts) == CRUSH_TESTS,
        "seconds": round(sum(part["seconds"] for part in parts), 1),
        "p_values": sum(part["p_values"] for part in parts),
        "failing": sum(part["failing"] for part in parts),
        "suspicious": sum(part["suspicious"] for part in parts),
        "results": sorted(results, key=lambda result: min(result["p"], 1 - result["p"])),
    }


def collected(records: list[Record]) -> dict[str, Record]:
    """Return the best records by the names of their files."""
    found: dict[str, Record] = {}
    crush: dict[str, dict[int, Record]] = {}
    for record in records:
        place = f"{record['generator']}/{name_of(record)}"
        if record["battery"] == "crush" and record["test"] is not None:
            crush.setdefault(place, {})[record["test"]] = record
        elif place not in found or rank(record) >= rank(found[place]):
            found[place] = record
    return found | {place: joined(list(parts.values())) for place, parts in crush.items()}


def written(record: Record) -> str:
    """Return a record as JSON, each of its results in a line."""
    plain = {key: value for key, value in record.items() if key not in ("job", "test", "results")}
    lines = ",\n  ".join(json.dumps(result) for result in record["results"])
    results = f"[\n  {lines}\n ]" if lines else "[]"
    return f'{json.dumps(plain, indent=1)[:-2]},\n "results": {results}\n}}\n'


def main() -> None:
    """Collect what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    options = parser.parse_args()
    records = [record for file in options.files for record in records_in(file)]
    for place, record in collected(records).items():
        path = options.results / place
        if path.exists() and rank(json.loads(path.read_text())) > rank(record):
            print(f"{place}: the one that is there tested more")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(record))
        print(f"{place}: {record['failing']} of {record['p_values']} fail")


if __name__ == "__main__":
    main()

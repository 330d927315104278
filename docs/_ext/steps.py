"""The tables of workloads of several steps, each timed on the device and on the host."""

from measured import counted, reports, seconds, table, where


def steps(experiment: str) -> list[str]:
    """Return what each step of a workload took, of clrng and of others, on each device where it was measured."""
    lines = []
    for report in reports(experiment):
        rows = {name: row for name, row in report["rows"].items() if "clrng" in row}
        who = list(dict.fromkeys(name for row in rows.values() for name in row))
        sizes = ", ".join(f"{report[key]:,} {key}" for key in ("vertices", "letters") if key in report)
        cells = [
            [step, *(seconds(row[name]["seconds"]) if name in row else "" for name in who)]
            for step, row in rows.items()
        ]
        about = f"{where(report)}, {report['units']} compute units; host {report['host']}, {report['cores']} cores"
        busy = ", which had other work too" if (report["load"] or 0) > report["cores"] else ""
        lines += ["", f"{about}{busy}. {sizes}; medians of {counted(report['rounds'])}.", ""]
        lines += table(["", *who], cells)
    return lines

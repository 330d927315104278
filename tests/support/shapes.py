"""Shapes of scans and counts in which small arrays have many parts and tiles."""

import pytest

from clrng.order import count_values, scan

SCANS = {"items": scan.ScanPlan(1, 4, 3, 16, 10), "groups": scan.ScanPlan(16, 2, 3, 32, 2)}
COUNTS = {
    "items": count_values.CountPlan(1, 1, 0, 16, 3, 32, 64, 512, 4),
    "groups": count_values.CountPlan(16, 2, 16, 1, 3, 32, 512, 512, 8),
}


def use_shape(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let all devices work in small parts, with work-items alone ("items") or together ("groups")."""
    for kind in ("CPU", "GPU"):
        monkeypatch.setattr(scan, kind, SCANS[name])
        monkeypatch.setattr(count_values, kind, COUNTS[name])

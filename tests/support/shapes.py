"""Shapes of scans and counts in which small arrays have many parts and tiles."""

import pytest

from clrng.order import plans
from clrng.order.plans import CountPlan, ScanPlan

SCANS = {"items": ScanPlan(1, 4, 3, 16, 10), "groups": ScanPlan(16, 2, 3, 32, 2)}
COUNTS = {"items": CountPlan(1, 1, 0, 16, 3, 32, 64, 512, 4), "groups": CountPlan(16, 2, 16, 1, 3, 32, 512, 512, 8)}


def use_shape(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let all devices work in small parts, with work-items alone ("items") or together ("groups")."""
    for kind in ("cpu", "gpu"):
        monkeypatch.setitem(plans.SCANS, kind, SCANS[name])
        monkeypatch.setitem(plans.COUNTS, kind, COUNTS[name])

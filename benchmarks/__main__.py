"""Run a script by its name, as in ``python benchmarks fill --quick``; what scripts share they import from here."""

import runpy
import signal
import sys
from pathlib import Path


def main() -> None:
    """Run the script whose name comes first, with the arguments behind it; Ctrl-C ends its imports quietly."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    folder = Path(__file__).parent
    scripts = {path.stem: path for path in folder.rglob("*.py") if not path.stem.startswith("__")}
    if len(sys.argv) == 1 or sys.argv[1] not in scripts:
        names = sorted(name for name, path in scripts.items() if "__main__" in path.read_text())
        sys.exit(f"usage: python benchmarks NAME [OPTIONS]..., where NAME is one of {', '.join(names)}")
    script = scripts[sys.argv.pop(1)].relative_to(folder)
    runpy.run_module(".".join(script.with_suffix("").parts), run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

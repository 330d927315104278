"""``python -m clrng`` is the command ``clrng``."""

from clrng.cli.commands import main

if __name__ == "__main__":
    main()

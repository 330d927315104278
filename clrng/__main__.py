"""``python -m clrng`` is the command ``clrng``."""

import _signal as early  # type: ignore[import-not-found]  # what signal is made of, without the import of enum
import os

if early.getsignal(early.SIGINT) is early.default_int_handler:  # and not ignored from the beginning
    early.signal(early.SIGINT, early.SIG_DFL)  # Ctrl-C ends the imports below, which take long, without a traceback
while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:  # noqa: PLR2004  # standard error
    pass  # no other file may get the number of a standard stream that is closed
os.close(spare)

from clrng.cli.commands import main

if __name__ == "__main__":
    main()

"""Options of programs that are run as `python -m`: numbers in their range, defaults in -h, a fault in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from rulebook.strings import quote_value

LARGEST_SEED = 2**63 - 1  #: that compiled code draws from


def make_number_type(least: int, most: int | None = None) -> Callable[[str], int]:
    """Make the type of an option that is a whole number within its range."""
    asked = f"a whole number from {least} " + ("up" if most is None else f"to {most}")

    def parse_option_number(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{quote_value(text)} is not {asked}")
        return number

    return parse_option_number


class ProgramParser(argparse.ArgumentParser):
    """Options of one program, named like its module; `about` is the docstring of the module."""

    def __init__(self, module: str, about: str | None, epilog: str | None = None) -> None:
        first, form = (about or "").partition("\n")[0], argparse.RawDescriptionHelpFormatter  # the epilog has lines
        super().__init__(prog=f"python -m {module}", description=first, epilog=epilog, formatter_class=form)

    def error(self, message: str) -> NoReturn:
        """Exit with code 2 and one line, without the usage, which -h gives."""
        self.exit(2, f"{self.prog}: {message} (-h lists the options)\n")

    def add_number(self, name: str, default: int, help: str, least: int = 1) -> None:
        """Add an option that is a whole number, positive unless `least` is another."""
        words = f"{help} (default: %(default)s)"
        self.add_argument(name, type=make_number_type(least), default=default, metavar="N", help=words)

    def add_seed(self, default: int) -> None:
        """Add the seed."""
        words = "from which all lots are drawn (default: %(default)s)"
        number = make_number_type(0, LARGEST_SEED)
        self.add_argument("--seed", type=number, default=default, metavar="N", help=words)

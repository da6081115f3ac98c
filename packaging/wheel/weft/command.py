# SPDX-License-Identifier: MIT
"""The command `weft`: runs the program of that name that the package holds."""

import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).resolve().parent / "bin" / "weft"
    os.execv(program, ["weft", *sys.argv[1:]])

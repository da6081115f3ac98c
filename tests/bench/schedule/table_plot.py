# SPDX-License-Identifier: MIT
"""table_plot.py TITLE FILE: draws the rows that `schedule_experiments_test -v` prints, on standard input, as bars."""

import pathlib
import sys

from plots import write_bars

NAMES = ["fcfs", "cpu-gpu", "baseline", "lookahead", "adaptive-bias", "contraction", "heft", "claims", "plan"]
groups = []
for line in sys.stdin:
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) > len(NAMES):
        groups.append((cells[0], dict(zip(NAMES, map(float, cells[1:])))))
write_bars(pathlib.Path(sys.argv[2]), sys.argv[1], NAMES, groups)

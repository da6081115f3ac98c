#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures this machine's row of cpu_costs.def and writes it there: cpu_costs.py LANE_COSTS WEFT.

LANE_COSTS: the program. WEFT: the tool, whose log names the CPU as the compiler does. Each figure is the least of several runs.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parents[3] / "src/kernel_compiler/passes/costs/cpu_costs.def"
RUNS = 5


def name_of_cpu(weft):
    """As the compiler calls this machine's."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "empty.cl"
        source.write_text("kernel void empty() {}\n")
        log = subprocess.run([weft, "compile", source, "-o", source.with_suffix(".bin")], capture_output=True, text=True,
                             check=True, env={**os.environ, "WEFT_LOG": "compiler=debug", "WEFT_CACHE": "0"}).stderr
    return re.search(r"code is for ([^\s,]+)", log)[1]


def main():
    program, weft = sys.argv[1:]
    name = name_of_cpu(weft)
    runs = [subprocess.run([program, "--row"], capture_output=True, text=True, check=True).stdout.split(",")
            for _ in range(RUNS)]
    if len(runs[0]) < 2:
        sys.exit("cpu_costs.py: this CPU has no gathers")
    figures = [min(map(int, column)) for column in zip(*runs)]
    row = f'WEFT_CPU_COSTS("{name}", {", ".join(map(str, figures))})\n'
    others = [line for line in TABLE.read_text().splitlines(keepends=True) if f'("{name}",' not in line]
    TABLE.write_text("".join(others) + row)
    print(row, end="")


if __name__ == "__main__":
    main()

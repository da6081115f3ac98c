#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures this machine's row of cpu_costs.def and writes it there: cpu_costs.py LANE_COSTS LLC.

LANE_COSTS: the program. LLC: LLVM's, which names the CPU. Each figure is the least of several runs. The machine should be idle.
"""
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).resolve().parents[3] / "src/kernel_compiler/passes/costs/cpu_costs.def"
RUNS = 5


def main():
    program, llc = sys.argv[1:]
    version = subprocess.run([llc, "--version"], capture_output=True, text=True, check=True).stdout
    name = re.search(r"Host CPU: (\S+)", version)[1]
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

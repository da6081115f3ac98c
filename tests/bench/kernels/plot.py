#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints docs/kernel_benchmark.svg: of the table in docs/kernel_benchmark.md, how many times as fast Weft is as another driver.

usage: tests/bench/kernels/plot.py [DRIVER] <docs/kernel_benchmark.md >docs/kernel_benchmark.svg     DRIVER: intel by default
"""

import math
import sys

NAME_WIDTH, BAR_HEIGHT, OCTAVE, MARGIN = 130, 13, 70, 34  # points; an octave is a factor of two


def ratios(driver):
    """(kernel, ratio) of each row of the table of times."""
    column, result = None, []
    for line in sys.stdin:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "kernel" and driver in cells:
            column = cells.index(driver) + 1
        elif column is not None and not line.startswith("|"):
            break
        elif column is not None and not cells[0].startswith("--"):
            result.append((cells[0], float(cells[column])))
    return result


def text(x, y, anchor, words):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


def main():
    driver = sys.argv[1] if len(sys.argv) > 1 else "intel"
    rows = sorted(ratios(driver), key=lambda row: row[1])
    low, high = math.floor(math.log2(rows[0][1])), math.ceil(math.log2(rows[-1][1]))
    width = NAME_WIDTH + (high - low) * OCTAVE + 50
    height = MARGIN + len(rows) * BAR_HEIGHT + 8
    mean = math.exp(sum(math.log(ratio) for _, ratio in rows) / len(rows))
    one = NAME_WIDTH - low * OCTAVE
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">')
    print('<rect width="100%" height="100%" fill="white"/>')
    print(text(NAME_WIDTH, 12, "start", f"{driver}'s time divided by Weft's, {len(rows)} kernels; geometric mean {mean:.1f}"))
    for power in range(low, high + 1):
        x = NAME_WIDTH + (power - low) * OCTAVE
        print(f'<path d="M{x} {MARGIN - 6}V{height - 6}" stroke="{"#333" if power == 0 else "#ddd"}"/>')
        print(text(x, MARGIN - 8, "middle", f"{2.0 ** power:g}"))
    for i, (name, ratio) in enumerate(rows):
        y = MARGIN + i * BAR_HEIGHT
        end = one + math.log2(ratio) * OCTAVE
        left, right = min(one, end), max(one, end)
        colour = "#3b7dbd" if ratio >= 1 else "#c9503c"
        print(f'<rect x="{left:.1f}" y="{y}" width="{right - left:.1f}" height="{BAR_HEIGHT - 3}" fill="{colour}"/>')
        print(text(NAME_WIDTH - 6, y + 9, "end", name))
        print(text(right + 4, y + 9, "start", f"{ratio:.1f}"))
    print("</svg>")


if __name__ == "__main__":
    main()

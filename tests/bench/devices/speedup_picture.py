#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""speedup_picture.py TABLES.md >PICTURE.svg: draws the tables that coalescing prints, a panel for each.

Across: groups on a cluster at a time. Up: speed-up over one without transfers, by a logarithmic scale.
"""
import html
import math
import sys

PANEL, HEIGHT, TOP, LEFT, GAP = 270, 300, 34, 46, 34
COLORS = {"with": "#3a8f5c", "without": "#d4604f"}
MOST = 32


def read_tables(lines):
    """(title, [groups], [(side, transfers, [speed-up])])"""
    tables = []
    for line in lines:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            if line.strip():
                tables.append((line.strip(), [], []))
        elif cells[0] == "side":
            tables[-1][1].extend(int(cell) for cell in cells[2:-1])
        elif cells[0].isdigit():
            tables[-1][2].append((cells[0], cells[1], [float(cell) for cell in cells[2:-1]]))
    return tables


def y_of(value):
    return TOP + HEIGHT * (1 - (math.log2(value) + 0.25) / (math.log2(MOST) + 0.25))


def text(x, y, words, attributes=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{html.escape(words)}</text>'


def panel(left, title, groups, rows):
    parts = [text(left + PANEL / 2, 18, title, 'text-anchor="middle" font-weight="bold"')]
    step = PANEL / (len(groups) - 1 + 0.9)
    across = [left + step * (i + 0.25) for i in range(len(groups))]
    for value in (1, 2, 4, 8, 16, 32):
        y = y_of(value)
        parts.append(f'<path d="M{left} {y:.1f}h{PANEL}" stroke="#ddd"/>')
        parts.append(text(left - 6, y + 4, str(value), 'text-anchor="end" fill="#666"'))
    for x, count in zip(across, groups):
        parts.append(text(x, TOP + HEIGHT + 16, str(count), 'text-anchor="middle" fill="#666"'))
    sides = list(dict.fromkeys(row[0] for row in rows))
    for side, transfers, values in rows:
        dash = ["", "5 3", "2 2", "8 3 2 3"][sides.index(side) % 4]
        points = " ".join(f"{x:.1f},{y_of(v):.1f}" for x, v in zip(across, values))
        color = COLORS[transfers]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.6" stroke-dasharray="{dash}"/>'
        )
        parts += [f'<circle cx="{x:.1f}" cy="{y_of(v):.1f}" r="2.2" fill="{color}"/>' for x, v in zip(across, values)]
    for i, side in enumerate(sides):
        y = TOP + HEIGHT + 34 + 14 * i
        dash = ["", "5 3", "2 2", "8 3 2 3"][i % 4]
        parts.append(f'<path d="M{left} {y - 4}h30" stroke="#333" stroke-width="1.6" stroke-dasharray="{dash}"/>')
        parts.append(text(left + 36, y, f"side {side}"))
    return parts


def main():
    with open(sys.argv[1]) as file:
        tables = read_tables(file)
    width = LEFT + len(tables) * (PANEL + GAP)
    height = TOP + HEIGHT + 100
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        ' font-size="11"><rect width="100%" height="100%" fill="white"/>'
    )
    for i, (title, groups, rows) in enumerate(tables):
        print("\n".join(panel(LEFT + i * (PANEL + GAP), title, groups, rows)))
    for i, (name, color) in enumerate(COLORS.items()):
        y = height - 22 + 14 * i
        print(f'<path d="M{LEFT} {y - 4}h30" stroke="{color}" stroke-width="1.6"/>' + text(LEFT + 36, y, f"{name} transfers"))
    print("</svg>")


main()

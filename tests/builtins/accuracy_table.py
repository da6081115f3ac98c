#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of errors into docs/builtins_accuracy.md, from what two programs have printed.

    WEFT_TEST_SAMPLES=40000 builtins_accuracy > SAMPLES
    builtins_exhaustive > ALL
    accuracy_table.py SAMPLES ALL
"""
import os
import re
import sys

DOC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "builtins_accuracy.md")
BEGIN, END = "<!-- begin: accuracy_table.py -->\n", "<!-- end -->\n"
LINE = re.compile(r"(\w+) +(float|double|half|every1) +([\d.e+]+|inf) of ([\d.e+]+)")


def read(paths):
    """(function, kind) → (error, bound), and the functions in their order."""
    results, names = {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                match = LINE.match(line)
                if match:
                    name, kind, error, bound = match.groups()
                    results[name, kind] = float(error), float(bound)
                    if name not in names:
                        names.append(name)
    return results, names


def number(value):
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def bound(result):
    return "" if result is None else "any" if result[1] > 1e9 else number(result[1])


def error(result):
    return "" if result is None else number(result[0])


def row(name, results):
    of_float, every = results.get((name, "float")), results.get((name, "every1"))
    of_double, of_half = results.get((name, "double")), results.get((name, "half"))
    cells = [f"`{name}`", bound(of_float), error(of_float), error(every), bound(of_double), error(of_double),
             bound(of_half), error(of_half)]
    return "| " + " | ".join(cells) + " |\n"


def main():
    results, names = read(sys.argv[1:])
    table = "| | float: bound | error | of all 2^32 | double: bound | error | half: bound | error |\n"
    table += "|---|--:|--:|--:|--:|--:|--:|--:|\n"
    table += "".join(row(name, results) for name in names)
    with open(DOC, encoding="utf-8") as file:
        text = file.read()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    with open(DOC, "w", encoding="utf-8") as file:
        file.write(text[:start] + table + text[end:])
    return 0


if __name__ == "__main__":
    sys.exit(main())

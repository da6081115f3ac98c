# SPDX-License-Identifier: MIT
"""Checks that docs/manual.md's table of options is the one that options.def gives. --write updates the manual."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs" / "manual.md"
BEGIN, END = "<!-- options: made from src/base/options.def -->\n", "<!-- end of options -->"
KINDS = {"FLAG": "0 or 1", "NUMBER": "number", "SIZE": "bytes, or with K, M, G", "STRING": "text", "FILE": "file", "FOLDER": "folder"}


def options():
    """(name, kind, default, help) of every option."""
    text = (ROOT / "src" / "base" / "options.def").read_text()
    text = text[text.index("*/"):]
    pattern = r'WEFT_OPTION\(\s*\w+,\s*(\w+),\s*"(\w+)",\s*([^,]+),\s*((?:"[^"]*"\s*)+)\)'
    for kind, name, default, pieces in re.findall(pattern, text):
        yield name, kind, default.strip(), "".join(re.findall(r'"([^"]*)"', pieces))


def show_default(kind, default):
    if default == "NULL":
        return ""
    if kind == "FLAG":
        return {"true": "1", "false": "0"}[default]
    if kind == "SIZE":
        size = eval(default)  # a product of numbers, of our own
        return f"{size >> 20}M" if size else "0"
    return default.strip('"')


def table():
    rows = ["| option | value | default | meaning |", "|---|---|---|---|"]
    rows += [f"| `{name}` | {KINDS[kind]} | {show_default(kind, default)} | {text} |"
             for name, kind, default, text in options()]
    return "\n".join(rows) + "\n"


def main():
    text = MANUAL.read_text()
    before, rest = text.split(BEGIN)
    current, after = rest.split(END)
    if sys.argv[1:] == ["--write"]:
        MANUAL.write_text(before + BEGIN + table() + END + after)
        return 0
    count = (ROOT / "src" / "base" / "options.def").read_text().count("WEFT_OPTION(") - 1
    if count != len(list(options())):
        print(f"options.def has {count} options, and {len(list(options()))} were understood")
        return 1
    if current != table():
        print("docs/manual.md's options are not those of options.def: run", pathlib.Path(__file__).name, "--write")
        return 1
    print(count, "options are in the manual")
    return 0


sys.exit(main())

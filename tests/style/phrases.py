# SPDX-License-Identifier: MIT
"""Checks that comments and documents do without phrases that hide who does what: those of phrases.txt."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src", "lib", "tests", "docs", "examples", "cmake")
SUFFIXES = {".c", ".h", ".cpp", ".def", ".cl", ".ll", ".pml", ".py", ".sh", ".md", ".txt", ".cmake"}
LIST = ROOT / "tests" / "style" / "phrases.txt"
QUOTED = re.compile(r"`[^`]*`")


def phrases():
    lines = (line.partition("#")[0].strip() for line in LIST.read_text().splitlines())
    return [line for line in lines if line]


def texts():
    yield ROOT / "README.md"
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if (path.suffix in SUFFIXES or path.name in ("run", "check")) and path.is_file() and path != LIST:
                yield path


def main():
    wanted = re.compile(r"\b(" + "|".join(phrase.replace(" ", r"\s+") for phrase in phrases()) + r")\b", re.IGNORECASE)
    problems, count = [], 0
    for path in texts():
        count += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            problems += [f"{path.relative_to(ROOT)}:{number}: \"{match}\": name what it is"
                         for match in wanted.findall(QUOTED.sub("", line))]
    print("\n".join(problems) if problems else f"{count} files are without {len(phrases())} phrases")
    return 1 if problems else 0


sys.exit(main())

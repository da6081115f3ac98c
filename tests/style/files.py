# SPDX-License-Identifier: MIT
"""Checks every source file: its SPDX line, its size, its line ends, whether the library reads the
environment with secure_getenv alone; with --format CLANG_FORMAT its formatting."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src", "lib", "tests", "examples", "include", "cmake", "tools")
CODE = {".c", ".h", ".cpp"}
SCRIPTS = {".py", ".sh", ".cmake", ".def", ".cl"}

# A program with more rights than its user may load the library, and its user chooses the environment.
READS_ENVIRONMENT = re.compile(r"(?<!\w)(getenv\s*\(|environ\b)")

# Lines that a file may have. Tables of data are exempt: name them here with the reason.
MOST_LINES, MOST_PASS_LINES = 800, 500
EXEMPT = {
}


def files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            relative = path.relative_to(ROOT)
            if path.is_file() and "__pycache__" not in relative.parts:
                yield relative


def is_ours(path):
    return path.suffix in CODE | SCRIPTS or path.name in ("CMakeLists.txt", "run")


def check(path):
    text = (ROOT / path).read_text()
    lines = text.splitlines()
    if not any("SPDX-License-Identifier: MIT" in line for line in lines[:3]):
        yield f"{path}: no SPDX line at its head"
    if not text.endswith("\n"):
        yield f"{path}: the last line does not end"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip() and path.suffix in CODE | SCRIPTS:
            yield f"{path}:{number}: white space at the end of the line"
        if path.parts[0] in ("src", "lib") and path.suffix in CODE and READS_ENVIRONMENT.search(line):
            yield f"{path}:{number}: the environment is read by secure_getenv"
    most = MOST_PASS_LINES if "passes" in path.parts and path.suffix == ".cpp" else MOST_LINES
    if path.suffix in CODE and len(lines) > most and str(path) not in EXEMPT:
        yield f"{path}: {len(lines)} lines, at most {most}"


def check_format(clang_format):
    sources = [str(path) for path in files() if path.suffix in CODE]
    result = subprocess.run([clang_format, "--dry-run", "-Werror", *sources], cwd=ROOT, check=False)
    print(f"{len(sources)} files", "are formatted" if result.returncode == 0 else "were looked at")
    return 1 if result.returncode else 0


def main():
    if sys.argv[1:2] == ["--format"]:
        return check_format(sys.argv[2])
    problems = [problem for path in files() if is_ours(path) for problem in check(path)]
    print("\n".join(problems) if problems else "every file is as the style asks")
    return 1 if problems else 0


sys.exit(main())

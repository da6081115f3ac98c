# SPDX-License-Identifier: MIT
"""Checks what the documents refer to: links lead to files and headings that exist, paths of the source tree exist, and
commits are in this repository."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where a path in backquotes may begin.
ROOTS = ("src", "lib/builtins", "tests", "docs", "examples", "cmake")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(rf"`((?:{'|'.join(ROOTS)})/[\w./-]+)`")
COMMIT = re.compile(r"(?<![\w.-])(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,40}\b")


def documents():
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "tests").rglob("*.md"))]


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def check_link(document, link):
    """What is wrong with a link, or None."""
    if re.match(r"\w+:", link):
        return None
    name, _, anchor = link.partition("#")
    target = (document.parent / name).resolve() if name else document
    if not target.exists():
        return f"{link}: there is no such file"
    if anchor and anchor not in anchors(target):
        return f"{link}: there is no such heading"
    return None


def commits_known():
    """Whether this is a repository with its history: an archive or a shallow copy has no commits to compare with."""
    result = subprocess.run(["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, check=False)
    return result.stdout.strip() == b"false"


def is_commit(name):
    return subprocess.run(["git", "merge-base", "--is-ancestor", name, "HEAD"], cwd=ROOT, capture_output=True,
                          check=False).returncode == 0


def check(path, with_commits):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.relative_to(ROOT)}:{number}"
        for link in LINK.findall(line):
            if problem := check_link(path, link):
                yield f"{where}: {problem}"
        for name in PATH.findall(line):
            if not (ROOT / name).exists():
                yield f"{where}: {name}: there is no such file"
        if with_commits:
            for name in COMMIT.findall(line):
                if not is_commit(name):
                    yield f"{where}: {name}: this repository has no such commit"


def main():
    with_commits = commits_known()
    problems = [problem for path in documents() for problem in check(path, with_commits)]
    print("\n".join(problems) if problems else f"what {len(documents())} documents refer to exists")
    return 1 if problems else 0


sys.exit(main())

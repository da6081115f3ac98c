# SPDX-License-Identifier: MIT
"""Checks what the documents refer to: links lead to files and headings that exist, source files exist, commits are in this
repository; and that docs/architecture.md lists the folders of the modules."""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where a path in backquotes may begin.
ROOTS = ("src", "lib/builtins", "tests", "docs", "examples", "cmake")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(rf"`((?:{'|'.join(ROOTS)})/[\w./-]+)`")
# A source file by the end of its path, such as `node/edges.c`, or of several, such as `edges.*`.
FILE = re.compile(r"`((?:[\w-]+/)*[\w*-]+\.(?:h|c|cpp|def|py|cl|map|\*))`")
# Names in examples.
PLACEHOLDER = re.compile(r"\b(?:NAME|FOLDER|my[-_]pass|kernel|k|x)\b")
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


def unlisted():
    """Folders of modules that docs/architecture.md does not list, and those that it lists and that do not exist."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    there = set()
    for module in ("runtime", "devices", "kernel_compiler"):
        sources = [path for path in (ROOT / "src" / module).rglob("*") if path.suffix in (".c", ".cpp", ".h")]
        there |= {str(path.parent.relative_to(ROOT / "src" / module)) for path in sources} - {"."}
    for folder in sorted(there ^ set(re.findall(r"^\| `([\w/]+)/` \|", text, re.MULTILINE))):
        yield f"docs/architecture.md: {folder}/: is in only one of the page and the source tree"


def commits_known():
    """Whether this is a repository with its history: an archive or a shallow copy has no commits to compare with."""
    result = subprocess.run(["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, check=False)
    return result.stdout.strip() == b"false"


def source_files():
    """The paths of all files in the source tree, each with a / before it."""
    return [f"/{path.relative_to(ROOT)}" for root in ROOTS for path in sorted((ROOT / root).rglob("*")) if path.is_file()]


def missing(line, files):
    """The files that a line names and that are nowhere in the source tree."""
    for name in PATH.findall(line):
        if not PLACEHOLDER.search(name) and not (ROOT / name).exists():
            yield name
    for name in FILE.findall(line):
        if not PLACEHOLDER.search(name) and not any(fnmatch.fnmatch(path, f"*/{name}") for path in files):
            yield name


def is_commit(name):
    return subprocess.run(["git", "merge-base", "--is-ancestor", name, "HEAD"], cwd=ROOT, capture_output=True,
                          check=False).returncode == 0


def check(path, files, with_commits):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.relative_to(ROOT)}:{number}"
        for link in LINK.findall(line):
            if problem := check_link(path, link):
                yield f"{where}: {problem}"
        for name in missing(line, files):
            yield f"{where}: {name}: there is no such file"
        if with_commits:
            for name in COMMIT.findall(line):
                if not is_commit(name):
                    yield f"{where}: {name}: this repository has no such commit"


def main():
    files, with_commits = source_files(), commits_known()
    problems = [problem for path in documents() for problem in check(path, files, with_commits)]
    problems += unlisted()
    print("\n".join(problems) if problems else f"what {len(documents())} documents refer to exists")
    return 1 if problems else 0


sys.exit(main())

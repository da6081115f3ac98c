# SPDX-License-Identifier: MIT
"""Compares the tables of src/kernel_compiler/pipeline_tables.cpp with PassRegistry.def and with the list of passes in
docs/kernel_compiler.md: each pass of ours is in all three, in the same order."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = ROOT / "src" / "kernel_compiler"
DOCUMENT = ROOT / "docs" / "kernel_compiler.md"

# The functions of pipeline_tables.cpp that are tables, for each column of the document's list.
TABLES = {
    "CPU": ("cpuPipeline", "addVectorizerStart", "addLastPasses"),
    "simulator": ("simulatorPipeline", "addVectorizerStart", "addLastPasses"),
}


def registry():
    """The passes' names by their classes, in the order of PassRegistry.def; printers of analyses are not in pipelines."""
    text = (COMPILER / "PassRegistry.def").read_text()
    rows = re.findall(r'^WEFT_(?:MODULE|FUNCTION)_PASS\("([^"]+)", (\w+)\)', text, re.MULTILINE)
    return {type_name: name for name, type_name in rows if not name.startswith("print<")}


def table(text, function):
    """The classes of the rows of one table, LLVM's too."""
    body = re.search(rf"^(?:KernelPipeline|void) {function}\(.*?^}}", text, re.MULTILINE | re.DOTALL)
    return re.findall(r"(?:\.(?:module|function)(?:If)?|\baddPass)\([^;]*?\b(\w+Pass)\b", body[0])


def listed():
    """The names in the document's list that each pipeline has, in order; and all of them, each once."""
    rows = re.findall(r"^\| `([a-z-]+)` \| ([x ]*) \| ([x ]*) \|", DOCUMENT.read_text(), re.MULTILINE)
    columns = {column: [row[0] for row in rows if row[number].strip()]
               for number, column in enumerate(TABLES, 1)}
    return columns, list(dict.fromkeys(name for name, *_ in rows))


def difference(what, expected, found):
    """A line about the first place where two lists differ, or nothing."""
    for number in range(max(len(expected), len(found))):
        here = [names[number] if number < len(names) else "nothing" for names in (expected, found)]
        if here[0] != here[1]:
            yield f"{what}: {here[0]} is expected as number {number + 1}, not {here[1]}"
            return


def main():
    text = (COMPILER / "pipeline_tables.cpp").read_text()
    names = registry()
    columns, all_listed = listed()
    problems, used = [], set()
    for column, functions in TABLES.items():
        rows = [row for function in functions for row in table(text, function)]
        used.update(rows)
        problems += difference(f"docs/kernel_compiler.md, {column}",
                               [names[row] for row in rows if row in names], columns[column])
    problems += difference("PassRegistry.def, by the list of docs/kernel_compiler.md", all_listed,
                           list(names.values()))
    problems += [f"{names[unused]}: in no pipeline" for unused in names if unused not in used]
    headers = {path.stem for path in (COMPILER / "passes").rglob("*.h")}
    ours = {re.sub(r"(?<!^)(?=[A-Z])", "_", row[:-len("Pass")]).lower(): row for row in used}
    problems += [f"{row}: not in PassRegistry.def" for stem, row in ours.items()
                 if stem in headers and row not in names]
    print("\n".join(problems) if problems else f"{len(names)} passes, in one order everywhere")
    return 1 if problems else 0


sys.exit(main())

# SPDX-License-Identifier: MIT
"""Checks that PassRegistry.def has the passes of pipeline_tables.cpp in the order of the pipelines, and that the list of
passes in docs/passes.md is the one that the tables and the headers of the passes give. --write updates the list."""

import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = ROOT / "src" / "kernel_compiler"
DOCUMENT = ROOT / "docs" / "passes.md"
BEGIN = "<!-- passes: made from src/kernel_compiler/pipeline/pipeline_tables.cpp and the headers of the passes -->\n"
END = "<!-- end of passes -->"

# The functions of pipeline_tables.cpp that are tables, for each pipeline.
TABLES = {
    "CPU": ("addProgramPasses", "cpuPipeline", "addVectorizerStart", "addLastPasses"),
    "simulator": ("addProgramPasses", "simulatorPipeline", "addVectorizerStart", "addLastPasses"),
}


def registry():
    """The passes' names by their classes, in the order of PassRegistry.def; printers of analyses are not in pipelines."""
    text = (COMPILER / "pipeline" / "PassRegistry.def").read_text()
    rows = re.findall(r'^WEFT_(?:MODULE|FUNCTION)_PASS\("([^"]+)", (\w+)\)', text, re.MULTILINE)
    return {type_name: name for name, type_name in rows if not name.startswith("print<")}


def table(text, function):
    """(class, mark) of each row of one table, LLVM's passes too. The mark says whether the row has a condition."""
    body = re.search(rf"^(?:KernelPipeline|void) {function}\(.*?^}}", text, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"(?:\.(?:module|function)(If)?|\baddPass)\([^;]*?\b(\w+Pass)\b", body[0])
    return [(type_name, "if" if condition else "x") for condition, type_name in rows]


def pipelines(names):
    """(name, mark) of our passes in each pipeline, and the classes of all passes in them."""
    text = (COMPILER / "pipeline" / "pipeline_tables.cpp").read_text()
    rows = {pipeline: [row for function in functions for row in table(text, function)]
            for pipeline, functions in TABLES.items()}
    ours = {pipeline: [(names[row], mark) for row, mark in found if row in names] for pipeline, found in rows.items()}
    return ours, {row for found in rows.values() for row, _ in found}


def merge(cpu, simulator):
    """The rows of the list, in an order that is that of both pipelines: (name, mark of the CPU, mark of the simulator)."""
    matcher = difflib.SequenceMatcher(None, [name for name, _ in cpu], [name for name, _ in simulator], False)
    for kind, first, last, other_first, other_last in matcher.get_opcodes():
        if kind == "equal":
            for (name, mark), (_, other) in zip(cpu[first:last], simulator[other_first:other_last]):
                yield name, mark, other
        else:
            yield from ((name, "", mark) for name, mark in simulator[other_first:other_last])
            yield from ((name, mark, "") for name, mark in cpu[first:last])


def header(name):
    """The header of a pass: its path below passes/, and what its first line says that the pass does."""
    paths = sorted((COMPILER / "passes").rglob(f"{name.replace('-', '_')}.h"))
    said = paths and re.search(rf"^ \* {name}: (.*?)\.\n \* Expects:", paths[0].read_text(), re.MULTILINE | re.DOTALL)
    if not said:
        return None, None
    return paths[0].relative_to(COMPILER / "passes"), re.sub(r"\s*\n \*\s*", " ", said[1]).replace("|", "\\|")


def listed(rows):
    """The list of passes as docs/passes.md has it."""
    lines = ["| pass | folder | CPU | simulator | what it does |", "|---|---|---|---|---|"]
    for name, cpu, simulator in rows:
        path, said = header(name)
        if path:
            lines.append(f"| `{name}` | [{path.parent}](../src/kernel_compiler/passes/{path}) | {cpu} | {simulator} | {said} |")
    return "\n".join(lines) + "\n"


def difference(what, expected, found):
    """A line about the first place where two lists differ, or nothing."""
    for number in range(max(len(expected), len(found))):
        here = [names[number] if number < len(names) else "nothing" for names in (expected, found)]
        if here[0] != here[1]:
            yield f"{what}: {here[0]} is expected as number {number + 1}, not {here[1]}"
            return


def main():
    names = registry()
    ours, used = pipelines(names)
    rows = list(merge(ours["CPU"], ours["simulator"]))
    before, rest = DOCUMENT.read_text().split(BEGIN)
    current, after = rest.split(END)
    if sys.argv[1:] == ["--write"]:
        DOCUMENT.write_text(before + BEGIN + listed(rows) + END + after)
        return 0
    in_order = list(dict.fromkeys(name for name, *_ in rows))
    problems = list(difference("PassRegistry.def, by the tables", in_order, list(names.values())))
    problems += [f"{name}: its header does not begin with '{name}: what it does.'"
                 for name in names.values() if not header(name)[0]]
    problems += [f"{names[unused]}: in no pipeline" for unused in names if unused not in used]
    headers = {path.stem for path in (COMPILER / "passes").rglob("*.h")}
    problems += [f"{row}: not in PassRegistry.def" for row in sorted(used) if row not in names and
                 re.sub(r"(?<!^)(?=[A-Z])", "_", row[:-len("Pass")]).lower() in headers]
    if current != listed(rows):
        problems.append(f"docs/passes.md: the list is not that of the tables: run {pathlib.Path(__file__).name} --write")
    print("\n".join(problems) if problems else f"{len(names)} passes, in one order everywhere")
    return 1 if problems else 0


sys.exit(main())

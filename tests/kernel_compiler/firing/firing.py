# SPDX-License-Identifier: MIT
"""Compares passes.txt, which says what kernels of the benchmark each pass of ours changes, with what the compiler does.

usage: firing.py COMPILE_CASES KERNELS [--write]

COMPILE_CASES and KERNELS are the programs of these names. --write makes passes.txt anew. No target is this machine, so the
table is the same everywhere. A pass that changes no kernel fails the test, unless IDLE gives a reason."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TABLE = HERE / "passes.txt"
SOURCES = ROOT / "tests" / "bench" / "kernels"
TARGETS = ("avx2", "avx512", "simulator", "simulator-cache")

# Simulators split vectors, after which these take as long as all others together.
NOT_SIMULATED = ("md5_mask", "sha256_mask")

# COMPILE_CASES has no versions for the formats of images.
ON_IMAGES = "image_"

# Passes that are right to change no kernel of the benchmark, and why.
IDLE = {
    "check-calls": "only refuses",
    "lower-virtual-calls": "for C++",
    "lower-cxx-objects": "for C++",
    "lower-indirect-calls": "for calls through pointers",
    "lower-fast-math": "for relaxed math and SPIR-V",
    "lower-dma-requests": "for async_work_group_copy",
    "lower-target-types": "for events, images, and what else is opaque",
    "lower-high-products": "for mul_hi of 64 bits, and divisions of them by constants",
    "form-minima": "for fmin and fmax of numbers that may be NaN",
    "inline-image-accesses": "in specialisations for formats of images",
    "lower-image-calls": "for images",
    "widen-elements": "for math functions of vectors that fill registers",
    "widen-divisions": "for divisions of vectors that fill registers",
    "merge-ways": "for calls and divisions in all ways of a branch",
    "select-ways": "for branches by data beside vectors that fill registers",
    "fold-round-trips": "for pixels that are moved, of images as a rule",
    "argument-footprints": "for hosts that ask",
    "interchange-items": "for ids of one dimension that are places in a plane",
    "lower-blocks": "for kernels that enqueue kernels",
    "lower-enqueue": "for kernels that enqueue kernels",
    "lower-printf": "for printf",
    "lower-host-calls": "for functions of the application",
    "lower-waits": "for pipes",
    "privatize-updates": "for histograms in global memory",
    "bound-recursion": "for functions that call themselves",
    "hash-switches": "for calls through pointers",
    "double-before-repeating": "LLVM does not end at such code",
    "flush-denormals": "for -cl-denorms-are-zero",
}

HEAD = """\
Which kernels of the benchmark (tests/bench/kernels) each pass of ours changes. Made by firing.py, beside this file, with --write.
avx2: x86-64-v3. avx512: znver4, whose gathers are slow. simulator: counted cycles and transfers. simulator-cache: the host
is told of each access; both without """ + " and ".join(NOT_SIMULATED) + """.
"""


def passes():
    """The names of our passes, in the order of PassRegistry.def."""
    text = (ROOT / "src" / "kernel_compiler" / "pipeline" / "PassRegistry.def").read_text()
    return re.findall(r'^WEFT_(?:MODULE|FUNCTION)_PASS\("([a-z-]+)"', text, re.MULTILINE)


def changes(program, target, cases):
    """For each pass the set of the cases that it changes."""
    found, case = {}, None
    if target.startswith("simulator"):
        cases = "".join(line for line in cases.splitlines(True) if line.split()[0] not in NOT_SIMULATED)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WEFT_")}
    run = subprocess.run([program, target, SOURCES], input=cases, capture_output=True, text=True,
                         env=environment | {"WEFT_LOG": "passes=debug"})
    if run.returncode != 0:
        sys.exit(f"{target}: {run.stderr[-2000:]}")
    for line in run.stderr.splitlines():
        if line.startswith("case "):
            case = line.split()[1]
        elif match := re.match(r"weft\[passes\]: (\S+) changes ", line):
            found.setdefault(match[1], set()).add(case)
    return found


def show(cases, names, target):
    """Some of all cases, in words."""
    missing = [name for name in names if name not in cases
               and not (target.startswith("simulator") and name in NOT_SIMULATED)]
    if not missing:
        return "all"
    if len(missing) <= len(cases) // 2:
        return "all but " + " ".join(missing)
    return " ".join(name for name in names if name in cases)


def table(found, names):
    """The text of passes.txt."""
    lines = [HEAD]
    for name in passes():
        lines.append(name)
        rows = [(target, found[target].get(name, set())) for target in TARGETS]
        lines += [textwrap.fill(show(cases, names, target), 120, initial_indent=f"    {target:16}",
                                subsequent_indent=" " * 20) for target, cases in rows if cases]
        if not any(cases for _, cases in rows):
            lines.append("    none")
        lines.append("")
    return "\n".join(lines)


def differences(expected, text):
    """Lines about the first places where the table is not as expected."""
    old, new = expected.splitlines(), text.splitlines()
    name = ""
    for number in range(max(len(old), len(new))):
        here = [lines[number] if number < len(lines) else "" for lines in (old, new)]
        if here[1] and not here[1].startswith(" "):
            name = here[1]
        if here[0] != here[1]:
            yield f"{name}:\n  expected {here[0].strip()}\n  found    {here[1].strip()}"


def main():
    program, kernels, *options = sys.argv[1:]
    cases = subprocess.run([kernels, "--list"], check=True, capture_output=True, text=True).stdout
    cases = "".join(line for line in cases.splitlines(True) if not line.startswith(ON_IMAGES))
    names = [line.split()[0] for line in cases.splitlines()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(TARGETS, pool.map(lambda target: changes(program, target, cases), TARGETS)))
    text = table(found, names)
    used = set().union(*found.values())
    problems = [f"{name} changes no kernel" for name in passes() if name not in used and name not in IDLE]
    problems += [f"IDLE need not have {name}" for name in IDLE if name in used or name not in passes()]
    if options == ["--write"]:
        TABLE.write_text(text)
    else:
        problems += list(differences(TABLE.read_text(), text))[:3]
        if problems:
            problems.append("If this is as it should be: firing.py COMPILE_CASES KERNELS --write")
    print("\n".join(problems) if problems else f"{len(used)} passes change what they should")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Checks the arrows of the architecture: which folder's headers a file of src/ may include. They point down only."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Per module: the modules whose headers it may include, or single headers of them. `base` is for all.
ALLOWED = {
    "base": set(),
    "api": {"runtime"},
    "runtime": {"devices/driver.h", "kernel_compiler/compiler.h", "kernel_compiler/kernel_abi.h",
                "kernel_compiler/kernel_archive.h"},
    "devices": {"kernel_compiler/compiler.h", "kernel_compiler/kernel_abi.h"},
    "kernel_compiler": set(),
}
LLVM = re.compile(r"(llvm|llvm-c|clang|clang-c|lld)/")


def headers():
    """Where each header of src/ is, by file name."""
    found = {}
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix in (".h", ".def"):
            found.setdefault(path.name, []).append(path.relative_to(ROOT / "src"))
    return found


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line):
            yield number, match[1] == "<", match[2]


def module_of(path):
    return path.parts[0]


def driver_of(path):
    """The driver's folder that a file of devices/ belongs to; None for common/ and driver.h."""
    inner = path.parts[1] if len(path.parts) > 2 else None
    return None if inner == "common" else inner


def may_include(source, target):
    module, other = module_of(source), module_of(target)
    if other == "base":
        return True
    if other == module:
        # A driver does not know another, and what they share knows none.
        return module != "devices" or driver_of(target) in (None, driver_of(source))
    return other in ALLOWED[module] or str(target) in ALLOWED[module]


def check_file(source, known):
    """Lines about what a file includes and must not; its path is relative to src/."""
    for number, system, name in includes(ROOT / "src" / source):
        where = f"src/{source}:{number}: #include {name}"
        if LLVM.match(name):
            if module_of(source) != "kernel_compiler" or source.name in (
                    "compiler.h", "kernel_abi.h", "kernel_archive.h"):
                yield f"{where}: LLVM is known to src/kernel_compiler alone"
            continue
        if system:
            continue
        if ".." in pathlib.PurePath(name).parts:
            yield f"{where}: no path upwards"
        candidates = [p for p in known.get(pathlib.PurePath(name).name, [])
                      if str(p).endswith(name)]
        if candidates and not any(may_include(source, candidate) for candidate in candidates):
            yield f"{where}: {module_of(source)} may not include {module_of(candidates[0])}"


def main():
    known = headers()
    problems, count = [], 0
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix in (".c", ".h", ".cpp", ".def"):
            count += 1
            problems += check_file(path.relative_to(ROOT / "src"), known)
    for folder in ("examples", "include"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            problems += [f"{path.relative_to(ROOT)}:{number}: #include {name}: not an installed header"
                         for number, system, name in includes(path)
                         if not system and not (path.parent / name).exists()]
    print("\n".join(problems) if problems else f"{count} files include only what they may")
    return 1 if problems else 0


sys.exit(main())

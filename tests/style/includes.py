# SPDX-License-Identifier: MIT
"""Checks the arrows of the architecture: which folder's headers a file of src/ may include. They point down only."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Per module: the modules whose headers it may include, or single headers of them. `base` is for all.
ALLOWED = {
    "base": set(),
    "api": {"runtime", "kernel_compiler/spirv/module/capabilities.def"},
    "runtime": {"devices/driver.h", "devices/driver_optional.h", "kernel_compiler/compiler.h", "kernel_compiler/kernel_abi.h",
                "kernel_compiler/kernel_archive.h", "kernel_compiler/kernel_footprint.h",
                "kernel_compiler/kernel_reach.h"},
    "tools": {"runtime", "api/entry_points.h", "kernel_compiler/compiler.h", "devices/common/machine/machine.h"},
    "schedule": set(),
    "devices": {"kernel_compiler/compiler.h", "kernel_compiler/kernel_abi.h", "kernel_compiler/kernel_waits.h"},
    "kernel_compiler": set(),
}
# Modules with folders: each folder of the module, and the folders of it whose headers it may include beside its own. No
# folder stands in a circle with another one, for each may include only folders that stand before it.
ROOMS = {
    "api": {"info": set()},
    "devices/accel": {
        "simulation": set(),
        "device_memory": {"simulation"},
        "riscv": {"device_memory"},
        "driver": {"simulation", "device_memory", "riscv"},
    },
    "devices/common": {
        "machine": set(),
        "command": set(),
        "images": set(),
        "kernel": {"images"},
    },
    "runtime": {
        "object": set(),
        "threads": set(),
        "trace": set(),
        "node": {"object"},
        "device": {"object", "threads", "node"},
        "compiler": {"object", "threads", "device"},
        "memory": {"object", "threads", "node", "device"},
        "graph": {"object", "threads", "trace", "node", "device", "memory"},
        "migration": {"object", "threads", "node", "device", "memory", "graph"},
        "semaphore": {"object", "threads", "node", "device", "graph"},
        "program": {"object", "threads", "trace", "node", "device", "compiler", "memory", "graph"},
        "device_enqueue": {"object", "node", "device", "graph", "program"},
        "commands": {"object", "threads", "trace", "device", "memory", "graph", "migration", "program", "device_enqueue"},
        "command_buffer": {"object", "threads", "node", "device", "memory", "graph", "migration", "program", "commands"},
        "platform": {"object", "device", "graph"},
    },
    # A client of OpenCL, as an application is.
    "schedule": {
        "spec": set(),
        "data": {"spec"},
        "opencl": {"spec"},
        "devices": {"spec", "opencl"},
        "split": {"spec"},
        "engine": {"spec", "data", "opencl", "devices", "split"},
        "strategies": set(),
        "report": {"spec", "engine"},
    },
    "kernel_compiler/passes": {
        "costs": set(),
        "functions": set(),
        "ir": {"functions"},
        "kernel": {"functions", "ir"},
        "calls": {"functions", "ir", "kernel"},
        "prepare": {"functions", "ir", "kernel"},
        "footprints": {"functions", "ir", "kernel"},
        "regions": {"functions", "ir", "kernel"},
        "layout": {"functions", "ir", "kernel"},
        "lanes": {"functions", "ir"},
        "accesses": {"costs", "ir", "layout", "lanes"},
        "width": {"costs", "functions", "ir", "kernel", "layout", "lanes", "accesses"},
        "lane_code": {"costs", "functions", "ir", "kernel", "lanes", "accesses"},
        "widen": {"costs", "functions", "ir", "kernel", "lanes", "accesses", "width", "lane_code"},
        "finish": {"costs", "functions", "ir", "kernel"},
        "after_llvm": {"costs", "functions", "ir", "kernel"},
        "simulate": {"functions", "ir", "kernel"},
    },
    "kernel_compiler/spirv": {
        "binary": set(),
        "module": {"binary"},
        "functions": {"binary", "module"},
        "builtins": {"binary", "module", "functions"},
        "instructions": {"binary", "module", "functions", "builtins"},
    },
    # The compiler's interfaces and its jobs lie above the folders.
    "kernel_compiler": {
        "support": set(),
        "passes": set(),
        "code_generation": {"support", "passes"},
        "front_end": {"support", "passes"},
        "link": {"passes", "front_end"},
        "spirv": {"support", "passes", "front_end", "link"},
        "pipeline": {"passes", "code_generation"},
        "library": set(),
        "tools": {"pipeline", "spirv"},
    },
}
# Modules with files beside their folders, which may include what is in all of these.
OPEN_TOPS = ("api", "kernel_compiler", "kernel_compiler/spirv", "schedule")
# What the passes know of the rest of src/kernel_compiler: interfaces.
PASSES_KNOW = {"kernel_compiler/compiler.h", "kernel_compiler/kernel_abi.h", "kernel_compiler/kernel_footprint.h",
               "kernel_compiler/kernel_reach.h",
               "kernel_compiler/kernel_waits.h"}
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


def rooms_of(path):
    """By the modules with folders that a file belongs to, the innermost first: its folder, which is None at the top."""
    rooms = {}
    for module in ROOMS:
        inner = pathlib.PurePath(module).parts
        if path.parts[:len(inner)] == inner:
            rooms[module] = path.parts[len(inner)] if len(path.parts) > len(inner) + 1 else None
    return rooms


def check_rooms():
    """Whether the table names each folder once, in an order without circles."""
    for module, rooms in ROOMS.items():
        there = {path.name for path in (ROOT / "src" / module).iterdir() if path.is_dir()}
        for name in sorted(there ^ set(rooms)):
            yield f"src/{module}/{name}: is in only one of the source tree and this test's table"
        before = set()
        for name, allowed in rooms.items():
            for other in sorted(allowed - before):
                yield f"src/{module}/{name}: may not be allowed {other}, which does not stand before it"
            before.add(name)


def check_room(source, name, candidates):
    """What is wrong with an include between folders of one module, or from outside of it; or None."""
    if candidates and "/" not in name and all(next(iter(rooms_of(path).values()), None) for path in candidates):
        return "an include names the folder"
    problem = None
    for path in candidates:
        others = rooms_of(path)
        wrong = [f"{room} may not include {others[module]}" for module, room in rooms_of(source).items()
                 if room and others.get(module) and others[module] not in ROOMS[module][room] | {room}]
        if not wrong:
            return None
        problem = wrong[0]
    return problem


def check_file(source, known):
    """Lines about what a file includes and must not; its path is relative to src/."""
    module, room = next(iter(rooms_of(source).items()), (None, None))
    if module not in (None, *OPEN_TOPS) and room is None:
        yield f"src/{source}: lies in no folder"
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
                      if f"/{p}".endswith(f"/{name}")]
        if problem := check_room(source, name, candidates):
            yield f"{where}: {problem}"
        if "kernel_compiler/passes" in rooms_of(source) and any(
                "kernel_compiler" in rooms_of(p) and "kernel_compiler/passes" not in rooms_of(p) and
                str(p) not in PASSES_KNOW for p in candidates):
            yield f"{where}: of src/kernel_compiler passes know interfaces alone"
        if candidates and not any(may_include(source, candidate) for candidate in candidates):
            yield f"{where}: {module_of(source)} may not include {module_of(candidates[0])}"


def main():
    known = headers()
    problems, count = list(check_rooms()), 0
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

# SPDX-License-Identifier: MIT
"""Finds the circles of includes between the files of src/, and compares them with the list of those that have a reason.

NAME.c (or NAME.cpp) and NAME.h are one node of the graph, but for interfaces, which stand for themselves.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2] / "src"
# What is implemented above those who use it.
INTERFACES = {"kernel_compiler/compiler.h", "devices/driver.h"}
# The circles that may be, each with its reason.
CIRCLES = {
    ("base/log", "base/options"):
        "the log has options, and reading the options anew resets the log",
    ("devices/accel/driver/accel", "devices/accel/driver/engine", "devices/accel/driver/memory_domain",
     "devices/accel/driver/stats", "devices/accel/driver/trace"):
        "a device works in a memory domain, and the domain's engine runs the commands of its devices",
    ("devices/pthread/run", "devices/pthread/runner", "devices/pthread/scheduler",
     "devices/pthread/shared_splits", "devices/pthread/split_command"):
        "a runner takes commands from the scheduler, and running a command gives others to the scheduler",
    ("runtime/graph/device_chaining", "runtime/graph/event", "runtime/graph/event_callbacks",
     "runtime/graph/event_hazards", "runtime/graph/event_progress", "runtime/graph/event_storage",
     "runtime/graph/event_times", "runtime/graph/event_trace", "runtime/graph/queue"):
        "an event is placed in a queue whose state is events, and an event's parts have files of their own",
    ("runtime/memory/allocation", "runtime/memory/mem", "runtime/memory/replica"):
        "a buffer owns its replicas, and a replica is of a buffer; an allocation is a memory object, and others lie in one",
    ("runtime/node/completion", "runtime/node/node"):
        "the completion queue calls what nodes do, which is to put further nodes into the queue",
    ("runtime/program/codegen_unit", "runtime/program/deferred_codegen"):
        "a binary's deferred code has units, and a unit belongs to a binary's deferred code",
}


def node_of(path):
    relative = str(path.relative_to(ROOT))
    return relative if relative in INTERFACES else str(path.relative_to(ROOT).with_suffix(""))


def edges():
    """Node by node, the nodes whose headers it includes."""
    files = [path for path in sorted(ROOT.rglob("*")) if path.suffix in (".c", ".cpp", ".h", ".def")]
    by_name, found = {}, {}
    for path in files:
        by_name.setdefault(path.name, []).append(path)
    for path in files:
        reached = found.setdefault(node_of(path), set())
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.MULTILINE):
            reached.update(node_of(other) for other in by_name.get(pathlib.PurePath(name).name, [])
                           if f"/{other}".endswith(f"/{name}"))
        reached.discard(node_of(path))
    return found


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for node in graph.get(todo.pop(), ()):
            if node not in seen:
                seen.add(node)
                todo.append(node)
    return seen


def circles(graph):
    """Each set of nodes that reach one another, sorted."""
    reach = {node: reachable(graph, node) for node in graph}
    return {tuple(sorted(other for other in reach[node] if node in reach[other]))
            for node in graph if node in reach[node]}


def main():
    found = circles(edges())
    problems = [f"a circle without a reason: {', '.join(circle)}" for circle in sorted(found - set(CIRCLES))]
    problems += [f"no circle any more: {', '.join(circle)}" for circle in sorted(set(CIRCLES) - found)]
    print("\n".join(problems) if problems else f"{len(CIRCLES)} circles of includes, each with a reason")
    return 1 if problems else 0


sys.exit(main())

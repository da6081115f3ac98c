#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Generated kernels of many shapes on several drivers, by turns: README.md of tests/bench says how to use it.

usage: shapes.py [--seed N] [--count N] [--minutes M] [--only NAME,…] [--print] [--list] [NAME=VENDORS[,VARIABLE=VALUE]…]
"""
import argparse
import importlib.util
import json
import os
import pathlib
import signal
import sys
import tempfile
import time

if not (importlib.util.find_spec("numpy") and importlib.util.find_spec("pyopencl")):
    print("skipped: numpy and pyopencl are not installed")
    sys.exit(1 if os.environ.get("WEFT_REQUIRE_APPS") == "1" else 77)

import numpy as np

import drivers
import kinds
import report
import source

ROOT = pathlib.Path(__file__).resolve().parents[3]


def parse():
    parser = argparse.ArgumentParser(description="Generated kernels of many shapes, on several drivers by turns.")
    parser.add_argument("drivers", nargs="*", metavar="NAME=VENDORS[,VARIABLE=VALUE]...",
                        help="Weft's own build comes first unless the first one is called weft")
    parser.add_argument("--weft", default=str(ROOT / "build/release/vendors"), help="vendors folder of Weft's build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400, help="kernels of the sample")
    parser.add_argument("--minutes", type=float, help="end after so long, with the kernels done by then")
    parser.add_argument("--only", help="names of kernels, behind commas, or a file of names")
    parser.add_argument("--where", help="only kernels of the sample whose name contains this text")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--real-time", action="store_true", help="other work waits while times are taken; asks for rights")
    parser.add_argument("--scale", type=int, default=1, help="divides the number of work-items")
    parser.add_argument("--once", action="store_true", help="results alone: no times are taken")
    parser.add_argument("--single", action="store_true", help="kernels that are behind are not run a second time")
    parser.add_argument("--print", action="store_true", help="print the kernels, run nothing")
    parser.add_argument("--list", action="store_true", help="print the names, run nothing")
    parser.add_argument("--output", help="a file that gets a line of JSON per kernel")
    parser.add_argument("--report", nargs="+", help="report on such files, run nothing")
    return parser.parse_args()


def chosen(arguments):
    if not arguments.only:
        shapes = kinds.sample(arguments.seed, arguments.count)
        return [shape for shape in shapes if not arguments.where or arguments.where in shape.name]
    names = arguments.only.split(",")
    if os.path.isfile(arguments.only):
        names = pathlib.Path(arguments.only).read_text().split()
    return [kinds.shape_of(name) for name in names]


def difference(kernel, one, other):
    """How two results differ, or None when they agree as the kernel asks."""
    if one.tobytes() == other.tobytes():
        return None
    if not kernel.tolerance and not kernel.steps:
        if one.dtype.kind == "f" and np.array_equal(one, other, equal_nan=True):
            return None  # zeros of both signs
        places = np.flatnonzero(one != other)
        return f"{len(places)} of {one.size}, the first at {places[0]}: {one[places[0]]} and {other[places[0]]}"
    with np.errstate(all="ignore"):
        far = np.abs(one.astype(np.float64) - other.astype(np.float64))
        far[~np.isfinite(far)] = 0 if np.array_equal(np.isfinite(one), np.isfinite(other)) else np.inf
        bound = kernel.steps or kernel.tolerance * max(1.0, float(np.abs(one[np.isfinite(one)].astype(np.float64)).max()))
    return f"by {far.max():g}, at most {bound:g}" if far.max() > bound else None


class Run:
    """Kernels one after another on all drivers."""

    def __init__(self, arguments, all_drivers, folder):
        self.arguments, self.folder = arguments, pathlib.Path(folder)
        self.processes = [drivers.Process(driver, folder) for driver in all_drivers]

    def _results(self, process):
        return self.folder / f"results.{process.driver.name}.npy"

    def _compare(self, kernel, opened):
        """Each driver that differs from the first, in words."""
        found = []
        if opened:
            first = np.load(self._results(opened[0]))
            for process in opened[1:]:
                how = difference(kernel, first, np.load(self._results(process)))
                if how:
                    found.append(f"{opened[0].driver.name} and {process.driver.name}, {how}")
        return "; ".join(found)

    def _try(self, process, times, *request):
        """The answer, or None when the process failed; how, is noted."""
        try:
            return process.ask(*request)
        except drivers.Failed as failed:
            times.clear()
            times["failed"] = str(failed)
            return None

    def measure(self, shape):
        """The record of a kernel: times of each driver, and how results differ."""
        record = {"name": shape.name, "drivers": {process.driver.name: {} for process in self.processes}}
        opened = []
        for process in self.processes:
            times = record["drivers"][process.driver.name]
            answer = self._try(process, times, "open", shape.name, self.arguments.scale, str(self._results(process)),
                               not self.arguments.once)
            if answer:
                times.update(answer)
                opened.append(process)
        record["differs"] = self._compare(source.kernel_of(shape, self.arguments.scale), opened)
        for turn in range(0 if self.arguments.once else self.arguments.turns):
            for process in opened:
                times = record["drivers"][process.driver.name]
                answer = "failed" not in times and self._try(process, times, "turn", 0.01, self.arguments.real_time)
                if answer:
                    times["best"] = min(times.get("best", np.inf), answer["seconds"])
        for process in opened:
            times = record["drivers"][process.driver.name]
            if "failed" not in times:
                self._try(process, times, "close")
        return record

    def all(self, shapes, output):
        start = time.monotonic()
        records = []
        for shape in shapes:
            if self.arguments.minutes and time.monotonic() - start > 60 * self.arguments.minutes:
                break
            records.append(self.measure(shape))
            if output:
                print(json.dumps(records[-1]), file=output, flush=True)
        return records

    def end(self):
        for process in self.processes:
            process.end()


def show(records, again, times_taken=True):
    """Prints the report. False: results differ, or a kernel failed on the first driver."""
    if times_taken and len(records[0]["drivers"]) > 1:
        print("## Drivers\n\n" + report.table(report.summary(records)) + "\n")
        print("## First launches\n\n" + report.table(report.first_launches(records)) + "\n")
        print("## Kinds\n\n" + report.table(report.by_kind(records)) + "\n")
        title = "more than 10 % behind" + (" in two runs of two" if again is not None else "")
        late = report.behind(again if again is not None else records)
        if late:
            print(f"## {len(late)} kernels {title}\n\n" + report.table(report.kernels(late)) + "\n")
    elif times_taken:
        print(report.table(report.kernels(records)) + "\n")
    problems = list(report.differing(records))
    print("\n".join(problems) if problems else f"{len(records)} kernels: all results agree")
    first = next(iter(records[0]["drivers"]))
    return not any(problem.startswith((f"{first} failed", "results")) for problem in problems)


def run(arguments):
    all_drivers = [drivers.Driver(text) for text in arguments.drivers]
    if not all_drivers or all_drivers[0].name != "weft":
        all_drivers.insert(0, drivers.Driver(f"weft={arguments.weft}"))
    with tempfile.TemporaryDirectory() as folder, open(arguments.output or "/dev/null", "w") as output:
        runner = Run(arguments, all_drivers, folder)
        try:
            records = runner.all(chosen(arguments), output)
            late = [] if arguments.once or arguments.single else report.behind(records)
            again = [runner.measure(kinds.shape_of(record["name"])) for record in late]
        finally:
            runner.end()
    return show(records, None if arguments.once or arguments.single else again, not arguments.once)


def main():
    arguments = parse()
    if arguments.print or arguments.list:
        for shape in chosen(arguments):
            print(f"// {shape.name}\n{source.kernel_of(shape).text}" if arguments.print else shape.name)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the measured processes end with this one
    if arguments.report:
        records = [json.loads(line) for name in arguments.report for line in open(name)]
        return 0 if show(records, None) else 1
    return 0 if run(arguments) else 1


if __name__ == "__main__":
    sys.exit(main())

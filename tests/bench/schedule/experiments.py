# SPDX-License-Identifier: MIT
"""Compares the strategies of `weft schedule` on this machine: random sets of the kernels of examples/schedule, and of its graphs.

    experiments.py --examples examples/schedule --out FOLDER [--devices weft,gpu] [--seconds 240] [--alone results.json] [--sizes 10,20,30]

The library and its Python binding are found by LD_LIBRARY_PATH and PYTHONPATH, the devices by the OpenCL loader. Each kernel is measured alone on
each of the two devices first; its partition follows from that, as the strategies of PySchedCL want it. FOLDER then has results.json, plots and
Gantt charts (SVG). With --alone, what an earlier run has measured of kernels alone counts.
"""

import argparse
import contextlib
import json
import pathlib
import random
import statistics
import time

from plots import write_bars
from traces import kernel_seconds, names_of_devices, time_of_devices
from weft.schedule import Schedule, ScheduleError

STRATEGIES = ["fcfs", "cpu-gpu", "baseline", "lookahead", "adaptive-bias", "contraction", "heft", "claims", "plan"]
THESIS = STRATEGIES[:6]
OURS = ["claims", "plan"]
# Kernels to a set, and graphs whose kernels are about as many.
SIZES = {10: 4, 20: 8, 30: 12}
# Runs before those that count, and these; of what takes longer than LONG seconds one of each. The strategies run by turns.
WARM, RUNS = 2, 6
SETTLE = 18  # runs in which `plan` tries what the others do, before they run by turns
ALONE = 15  # runs of a kernel alone
LONG = 0.3


def read_examples(folder):
    """The graphs by name, and their kernels by name, each without the others."""
    graphs = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    kernels = {}
    for graph in graphs.values():
        for kernel in graph:
            kernel["src"] = str(folder / kernel["src"])
            alone = json.loads(json.dumps(kernel))
            alone.pop("depends", None)
            for group in ("inputBuffers", "outputBuffers", "ioBuffers"):
                for buffer in alone.get(group, []):
                    buffer.pop("from", None)
            kernels.setdefault(alone["name"], alone)
    return graphs, kernels


class Bench:
    """Runs specifications, with the rates that are known."""

    def __init__(self, options):
        self.devices = options.devices.split(",")
        self.out = options.out
        self.rates = str(options.out / "rates")
        self.end = time.monotonic() + options.seconds
        self.strategies = options.strategies.split(",")
        self.without_partitions = options.without_partitions
        self.alone = {}  # (kernel, dataset) -> seconds on each device, with transfers
        self.kernels = {}  # the same without them

    def schedule(self, kernels, devices, strategy, rates=True):
        path = self.out / "spec.json"
        left_out = {"partition"} if self.without_partitions else set()
        path.write_text(json.dumps([{key: value for key, value in kernel.items() if key not in left_out} for kernel in kernels]))
        schedule = Schedule(devices=devices, strategy=strategy, rates=self.rates if rates else None)
        schedule.read(str(path))
        return schedule

    def measure_alone(self, kernel, dataset):
        """Seconds of the kernel on each device; the results must be alike, but for rounding."""
        seconds, kernels, results = [], [], []
        for device in self.devices:
            with self.schedule([{**kernel, "id": "k", "dataset": dataset}], device, "serial") as schedule:
                times, alone = [], []
                for _ in range(WARM + ALONE):
                    schedule.run()
                    times.append(schedule.summary()["makespan"])
                    alone.append(kernel_seconds(schedule, self.out / "trace.json"))
                    if times[-1] > LONG and len(times) > 1:
                        break
                seconds.append(statistics.median(times[1:][-ALONE:]))
                kernels.append(statistics.median(alone[1:][-ALONE:]))
                written = kernel.get("outputBuffers", []) + kernel.get("ioBuffers", [])
                results.append([schedule.buffer("k", buffer["pos"]) for buffer in written])
        self.alone[kernel["name"], dataset] = seconds
        self.kernels[kernel["name"], dataset] = kernels
        return largest_difference(*results)

    def partition(self, name, dataset):
        cpu, gpu = self.alone[name, dataset]
        return round(10 * cpu / (cpu + gpu))

    def task(self, kernel, dataset, label):
        return {**kernel, "id": label, "dataset": dataset, "partition": self.partition(kernel["name"], dataset)}

    def graph(self, graph, dataset, prefix):
        text = json.loads(json.dumps(graph))
        for kernel in text:
            kernel.update(dataset=dataset, partition=self.partition(kernel["name"], dataset), id=prefix + kernel["id"])
            kernel["depends"] = [prefix + other for other in kernel.get("depends", [])]
            for group in ("inputBuffers", "ioBuffers"):
                for buffer in kernel.get(group, []):
                    if "from" in buffer:
                        buffer["from"] = {**buffer["from"], "kernel": prefix + buffer["from"]["kernel"]}
        return text

    def compare(self, kernels, chart):
        """What each strategy came to, by turns: the makespans of the runs that count, the first one's, and how long it took from nothing to the first
        result; and a chart of each one's last run."""
        found, schedules = {}, {}
        with contextlib.ExitStack() as stack:
            for strategy in self.strategies:
                start = time.monotonic()
                schedules[strategy] = stack.enter_context(self.schedule(kernels, ",".join(self.devices), strategy))
                schedules[strategy].run()
                found[strategy] = {"whole": time.monotonic() - start, "first": schedules[strategy].summary()["makespan"], "all": []}
            for _ in range(SETTLE if "plan" in schedules else 0):
                schedules["plan"].run()
            for turn in range(1, WARM + RUNS):
                for strategy, schedule in schedules.items():
                    makespan = self.timed_run(schedule)
                    if turn >= WARM:
                        found[strategy]["all"].append(makespan)
            for strategy, schedule in schedules.items():
                schedule.write_trace(str(self.out / "trace.json"))
                devices = time_of_devices(trace_of(self))
                found[strategy] = {**schedule.summary(), **found[strategy], "devices": devices, "makespan": statistics.median(found[strategy]["all"])}
                schedule.write_gantt(str(self.out / f"{chart}-{strategy}.svg"))
        return found

    def timed_run(self, schedule):
        schedule.run()
        return schedule.summary()["makespan"]

    def first_run(self, kernels, strategy):
        """The strategy without known rates."""
        with self.schedule(kernels, ",".join(self.devices), strategy, rates=False) as schedule:
            schedule.run()
            return schedule.summary()["makespan"]


def trace_of(bench):
    return json.loads((bench.out / "trace.json").read_text())


def largest_difference(one, other):
    """Of floating-point numbers, relative to the larger of 1 and the number."""
    import numpy
    worst = 0.0
    for a, b in zip(one, other):
        a, b = numpy.frombuffer(a, numpy.float32), numpy.frombuffer(b, numpy.float32)
        worst = max(worst, float(numpy.max(numpy.abs(a - b) / numpy.maximum(1, numpy.abs(a)))))
    return worst


def bound_with_transfers(times):
    """Seconds that no schedule of independent kernels can beat whose parts take their share of the kernel's time with transfers: the kernels that
    the first device is better at, compared with the second, are its own, up to the one that both share."""
    times = sorted(times, key=lambda pair: pair[0] / pair[1])
    first, second = 0.0, sum(pair[1] for pair in times)
    for a, b in times:
        if first + a >= second - b:
            # A share s of it on the first device: first + s a = second - s b.
            return first + a * (second - first) / (a + b)
        first, second = first + a, second - b
    return first


def run_sets(bench, graphs, kernels, options):
    """A round of sets after the other, until the time is over."""
    rows, number = [], 0
    names, graph_names = sorted(kernels), sorted(graphs)
    datasets, sizes = options.datasets, options.sizes
    while time.monotonic() < bench.end:
        rng = random.Random(number)
        size = sizes[number // 2 % len(sizes)]
        is_graph = number % 2 == 1
        if is_graph:
            picked = [(rng.choice(graph_names), rng.choice(datasets)) for _ in range(SIZES[size])]
            tasks = [task for i, (name, dataset) in enumerate(picked) for task in bench.graph(graphs[name], dataset, f"{i}.")]
        else:
            picked = [(rng.choice(names), rng.choice(datasets)) for _ in range(size)]
            tasks = [bench.task(kernels[name], dataset, f"{i}.{name}") for i, (name, dataset) in enumerate(picked)]
        found = bench.compare(tasks, f"gantt-{number}-{size}-{'graph' if is_graph else 'set'}")
        row = {"size": size, "graph": is_graph, "kernels": len(tasks), "picked": picked,
               "makespans": {name: summary["makespan"] for name, summary in found.items()},
               "names": names_of_devices(trace_of(bench)), "whole": {name: summary["whole"] for name, summary in found.items()},
               "all": {name: summary["all"] for name, summary in found.items()}, "first": {name: summary["first"] for name, summary in found.items()},
               "devices": {name: found[name]["devices"] for name in OURS if name in found},
               "transferred": {name: summary["transferred"] for name, summary in found.items()},
               "first_run": {name: bench.first_run(tasks, name) for name in OURS if name in found}}
        if not is_graph:
            row["bound"] = bound_with_transfers([bench.alone[pair] for pair in picked])
        rows.append(row)
        print(json.dumps(row), flush=True)
        number += 1
    return rows


def is_behind(runs, name):
    """Whether it takes longer than the best of the thesis' strategies in the first half of the runs and in the second one, and by these halves."""
    halves = [slice(None, RUNS // 2), slice(RUNS // 2, None)]
    return all(statistics.median(runs[name][half]) > min(statistics.median(runs[other][half]) for other in runs if other in THESIS) for half in halves)


def summarise(rows):
    """A line for each size: geometric means of makespans, over the best of the thesis' strategies."""
    lines = []
    for is_graph in (False, True):
        for size in SIZES:
            chosen = [row for row in rows if row["size"] == size and row["graph"] == is_graph]
            if not chosen:
                continue
            strategies = list(chosen[0]["makespans"])
            best = [min(row["makespans"][name] for name in strategies if name in THESIS) for row in chosen]
            line = {"size": size, "graph": is_graph, "sets": len(chosen)}
            for name in strategies:
                line[name] = statistics.geometric_mean(row["makespans"][name] / b for row, b in zip(chosen, best))
            if not is_graph:
                line["bound"] = statistics.geometric_mean(row["bound"] / b for row, b in zip(chosen, best))
            for name in (name for name in OURS if name in strategies):
                line[f"{name}, first run"] = statistics.geometric_mean(row["first_run"][name] / b for row, b in zip(chosen, best))
                line[f"worst of {name}"] = max(row["makespans"][name] / b for row, b in zip(chosen, best))
                line[f"{name} behind"] = sum(is_behind(row["all"], name) for row in chosen)
            lines.append(line)
    return lines


def numbers(text):
    return [int(number) for number in text.split(",")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--devices", default="weft,gpu", help="a CPU and another one; 'cpu' may be another driver's")
    parser.add_argument("--seconds", type=float, default=240, help="for all; a set that has begun is ended")
    parser.add_argument("--datasets", default="512,1024,2048", type=numbers)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), type=numbers, help="kernels to a set")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="claims, one of the thesis' at least, and others")
    parser.add_argument("--without-partitions", action="store_true", help="predicted ones count")
    parser.add_argument("--alone", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    graphs, kernels = read_examples(options.examples.resolve())
    bench = Bench(options)
    differences = {}
    if options.alone:
        earlier = json.loads(options.alone.read_text())
        bench.alone = {(key.split()[0], int(key.split()[1])): times for key, times in earlier["alone"].items()}
        (options.out / "rates").write_text((options.alone.parent / "rates").read_text())
    for name, kernel in sorted(({} if options.alone else kernels).items()):
        for dataset in options.datasets:
            try:
                differences[f"{name} {dataset}"] = bench.measure_alone(kernel, dataset)
            except ScheduleError as error:
                print(f"{name} {dataset}: {error}", flush=True)
                raise
            print(name, dataset, *(f"{1e3 * t:.3f} ms" for t in bench.alone[name, dataset]),
                  f"partition {bench.partition(name, dataset)}, differs by {differences[f'{name} {dataset}']:.2g}", flush=True)
    rows = run_sets(bench, graphs, kernels, options)
    lines = summarise(rows)
    result = {"alone": {f"{name} {n}": t for (name, n), t in bench.alone.items()},
              "kernels": {f"{name} {n}": t for (name, n), t in bench.kernels.items()}, "differences": differences, "rows": rows,
              "summary": lines}
    (options.out / "results.json").write_text(json.dumps(result, indent=1))
    for line in lines:
        print(json.dumps({key: round(value, 3) if isinstance(value, float) else value for key, value in line.items()}))
    for is_graph, name in ((False, "sets"), (True, "graphs")):
        chosen = [line for line in lines if line["graph"] == is_graph]
        write_bars(options.out / f"{name}.svg", "makespan / the best of PySchedCL's strategies", bench.strategies,
                   [(f"{line['size']} kernels", line) for line in chosen])


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""Trains the predictor of `weft schedule` (src/schedule/engine/predictor.h) on the kernels of tests/bench/kernels.

    train_predictor.py measure WEFT KERNELS >predictor_data.jsonl       some minutes; needs a Weft with simulated accelerators
    train_predictor.py measure-here KERNELS [weft,gpu] >predictor_gpu_data.jsonl   on a machine with a GPU, whose CPU is Weft's
    train_predictor.py fit predictor_data.jsonl predictor_gpu_data.jsonl >src/schedule/engine/predictor_model.inc

`measure` runs each kernel, at two sizes, on a simulated accelerator and on the model of a CPU (tests/schedule/kernel_costs.py has both), which
count cycles: the same on any machine. `measure-here` runs each of them on this machine's CPU and its GPU; the library and its Python binding are
found as by experiments.py. KERNELS is the program of tests/bench/kernels. `fit` finds what each operation takes, so that the squares of the logarithms of predicted / measured are
least, with a small penalty for weights far from one value per device; it tells on standard error how good that is for kernels that were left out.
"""

import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy

from traces import kernel_seconds

# Machines and clocks, as in tests/schedule/kernel_costs.py and experiments_test.c.
MACHINES = {"cpu": ("clusters=4,elements=8,clock=3000,cache=32K,cache_latency=4,dma_latency=60,dma_bytes=16,global_latency=60,transfers=0,groups=1",
                    3e9),
            "accelerator": ("clusters=16", 600e6)}
RUNS, LONG = 5, 0.5
FOLDS = 8
PENALTY = 0.1
ROUNDS = 4000
# Kinds of features, in the order of enum cl_kernel_feature_weft.
INSTRUCTIONS, BYTES = 8, 4


def schedule(weft, spec, device, machine, folder):
    """Runs the kernel; what it has printed on standard error, and what the compiler says of it. None if it does not run."""
    features = pathlib.Path(folder, "features.json")
    environment = {**os.environ, "WEFT_DEVICES": "pthread,accel", "WEFT_ACCEL": machine, "WEFT_ACCEL_STATS": "1", "WEFT_CACHE_DIR": folder}
    try:
        done = subprocess.run([weft, "schedule", spec.name, "-q", "-d", device, "-s", "serial", "--features", str(features)], cwd=spec.parent,
                              env=environment, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    return (done.stderr, json.loads(features.read_text())) if done.returncode == 0 else None


def run(weft, spec, folder):
    """A row of the table: what the compiler says when it compiles for this CPU, and seconds by counted cycles."""
    told = schedule(weft, spec, "cpu", MACHINES["accelerator"][0], folder)
    if not told or not told[1]:
        return None
    seconds = {}
    for name, (machine, clock) in MACHINES.items():
        ran = schedule(weft, spec, "accelerator", machine, folder)
        cycles = ran and re.search(r"kernel cycles (\d+)", ran[0])
        if not cycles:
            return None
        seconds[name] = int(cycles.group(1)) / clock
    (kernel,) = told[1]
    return {"kernel": spec.stem, "work_items": kernel["work_items"], "features": kernel["features"], "seconds": seconds}


def run_here(spec, devices):
    """A row of the table: seconds of the kernel without transfers, the median of some runs."""
    from weft.schedule import Schedule, ScheduleError
    seconds, told = {}, None
    for name, device in zip(("host", "gpu"), devices):
        try:
            with Schedule(devices=device, strategy="serial") as schedule:
                schedule.read(str(spec))
                times = []
                for _ in range(RUNS):
                    schedule.run()
                    times.append(kernel_seconds(schedule, spec.with_suffix(".trace")))
                    if times[-1] > LONG and len(times) > 1:
                        break
                seconds[name] = statistics.median(times[1:])
                if name == "host":
                    schedule.write_features(str(spec.with_suffix(".features")))
                    told = json.loads(spec.with_suffix(".features").read_text())
        except ScheduleError as error:
            print(error, file=sys.stderr)
            return None
    if not told:
        print("the compiler says nothing: is the CPU Weft's?", file=sys.stderr)
        return None
    return {"kernel": spec.stem, "work_items": told[0]["work_items"], "features": told[0]["features"], "seconds": seconds}


def measure(kernels, run_spec):
    sources = pathlib.Path(__file__).resolve().parent.parent / "kernels"
    for size in (["--small"], []):
        with tempfile.TemporaryDirectory() as folder:
            names = subprocess.run([kernels, "--specs", folder, *size], check=True, capture_output=True, text=True).stdout.split()
            for path in sources.iterdir():
                if path.suffix in (".cl", ".h"):
                    shutil.copy(path, folder)
            for name in names:
                row = run_spec(pathlib.Path(folder, name + ".json"), folder)
                print(json.dumps(row) if row else f"{name}: left out", file=sys.stdout if row else sys.stderr, flush=True)


def costs(row):
    """What the weights are for: each feature of all work-items, the work-items, one work-item alone, the launch. A work-item alone is what a
    device of many elements takes for few of them: instructions, and words of buffers."""
    alone = sum(row["features"][:INSTRUCTIONS]) + sum(row["features"][INSTRUCTIONS:INSTRUCTIONS + BYTES]) / 4
    return [row["work_items"] * value for value in row["features"]] + [row["work_items"], alone, 1.0]


def fit(rows, machine):
    """Weights, none below 0: exp(u), by gradients with momentum."""
    table = numpy.array([costs(row) for row in rows])
    right = numpy.log([row["seconds"][machine] for row in rows])
    count = table.shape[1]
    # A start at which each kind of cost explains a part of what is measured.
    start = numpy.full(count, -30.0)
    for i in range(count):
        used = sorted(numpy.exp(t) / line[i] for line, t in zip(table, right) if line[i] > 0)
        if used:
            start[i] = math.log(used[len(used) // 4] / count)
    u, speed, square = start.copy(), numpy.zeros(count), numpy.zeros(count)
    for number in range(1, ROUNDS + 1):
        parts = table * numpy.exp(u)
        whole = parts.sum(axis=1)
        errors = numpy.log(whole) - right
        gradient = PENALTY * (u - start) + 20 * (errors / whole) @ parts / len(rows)
        speed = 0.9 * speed + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient ** 2
        step = 0.05 if number < ROUNDS / 2 else 0.01
        u -= step * (speed / (1 - 0.9 ** number)) / (numpy.sqrt(square / (1 - 0.999 ** number)) + 1e-9)
    return numpy.exp(u)


def predict(weights, row):
    return float(weights @ numpy.array(costs(row)))


def machines_of(rows):
    """The CPU's name, and the other device's."""
    return tuple(rows[0]["seconds"])


def report(rows, predicted, what):
    """How far predictions are from measurements: factors, and tenths of partitions."""
    cpu, other = machines_of(rows)
    factors = {machine: math.exp(sum(abs(math.log(p[machine] / row["seconds"][machine])) for row, p in zip(rows, predicted)) / len(rows))
               for machine in (cpu, other)}
    ratios, right, tenths = [], 0, 0.0
    for row, p in zip(rows, predicted):
        real = row["seconds"][cpu] / row["seconds"][other]
        guess = p[cpu] / p[other]
        ratios.append(abs(math.log(guess / real)))
        right += (real > 1) == (guess > 1)
        tenths += abs(10 * real / (1 + real) - 10 * guess / (1 + guess))
    print(f"{what}: off by a factor of {factors[cpu]:.2f} ({cpu}), {factors[other]:.2f} ({other}), "
          f"{math.exp(sum(ratios) / len(ratios)):.2f} (their quotient), in the mean; the better device is right for {right} of {len(rows)}; "
          f"partitions are off by {tenths / len(rows):.2f} tenths", file=sys.stderr)


def fit_all(data):
    """The weights of the two devices of the table."""
    rows = [json.loads(line) for line in pathlib.Path(data).read_text().splitlines()]
    machines = machines_of(rows)
    names = sorted({row["kernel"].removesuffix("_buffer") for row in rows})
    predicted = [None] * len(rows)
    for fold in range(FOLDS):
        left_out = set(names[fold::FOLDS])
        kept = [row for row in rows if row["kernel"].removesuffix("_buffer") not in left_out]
        weights = {machine: fit(kept, machine) for machine in machines}
        for i, row in enumerate(rows):
            if row["kernel"].removesuffix("_buffer") in left_out:
                predicted[i] = {machine: predict(weights[machine], row) for machine in machines}
    weights = {machine: fit(rows, machine) for machine in machines}
    print(f"{len(rows)} rows of {len(names)} kernels", file=sys.stderr)
    report(rows, [{machine: predict(weights[machine], row) for machine in machines} for row in rows], "kernels of the training")
    report(rows, predicted, "kernels that were left out")
    # Always half: what knows nothing predicts.
    middle = {m: math.exp(sum(math.log(row["seconds"][m] / row["work_items"]) for row in rows) / len(rows)) for m in machines}
    report(rows, [{m: middle[m] * row["work_items"] for m in machines} for row in rows], "a mean time per work-item")
    return [weights[machine] for machine in machines]


def main():
    if sys.argv[1:2] == ["measure"] and len(sys.argv) == 4:
        weft = str(pathlib.Path(sys.argv[2]).resolve())
        measure(str(pathlib.Path(sys.argv[3]).resolve()), lambda spec, folder: run(weft, spec, folder))
    elif sys.argv[1:2] == ["measure-here"] and len(sys.argv) in (3, 4):
        devices = (sys.argv[3] if len(sys.argv) == 4 else "weft,gpu").split(",")
        measure(str(pathlib.Path(sys.argv[2]).resolve()), lambda spec, _: run_here(spec, devices))
    elif sys.argv[1:2] == ["fit"] and len(sys.argv) == 4:
        print("/* SPDX-License-Identifier: MIT */\n/* Made by tests/bench/schedule/train_predictor.py. */")
        for data in sys.argv[2:]:
            print("\n".join("{" + ", ".join(f"{weight:.4g}" for weight in weights) + "}," for weights in fit_all(data)))
    else:
        sys.exit(__doc__)


main()

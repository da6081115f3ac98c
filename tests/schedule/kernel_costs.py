# SPDX-License-Identifier: MIT
"""Simulated cycles of the kernels of examples/schedule, for experiments_test.c.

    kernel_costs.py WEFT EXAMPLES >kernel_costs.inc     measures all
    kernel_costs.py WEFT EXAMPLES --check TABLE         measures some of them anew, and compares
    kernel_costs.py WEFT EXAMPLES --features >kernel_features.inc   what the compiler says of all

A line is a kernel, a dataset, the cycles of its launch on the accelerator, and those on the model of a CPU: an accelerator, too, with few, fast
elements and a cache.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ACCELERATOR = "clusters=16"
# Four cores with vectors of eight floats at 3 GHz. A line of the cache comes from memory in 20 ns.
CPU = "clusters=4,elements=8,clock=3000,cache=32K,cache_latency=4,dma_latency=60,dma_bytes=16,global_latency=60,transfers=0,groups=1"
DATASETS = (128, 256, 512)
DESCRIBED = (*DATASETS, 1024, 2048)  # gpu_costs.inc has these
CHECKED = ("mean",)


def read_kernels(folder):
    """Each kernel once, without those that it waits for."""
    kernels = {}
    for path in sorted(folder.glob("*.json")):
        for kernel in json.loads(path.read_text()):
            for group in ("inputBuffers", "ioBuffers"):
                for buffer in kernel.get(group, []):
                    buffer.pop("from", None)
            kernel.pop("depends", None)
            kernel["src"] = str(folder / kernel["src"])
            kernels.setdefault(kernel["name"], kernel)
    return kernels


def cycles(weft, kernel, dataset, machine, folder):
    spec = pathlib.Path(folder, "spec.json")
    spec.write_text(json.dumps(kernel))
    environment = {**os.environ, "WEFT_DEVICES": "pthread,accel", "WEFT_ACCEL": machine, "WEFT_ACCEL_STATS": "1", "WEFT_CACHE_DIR": folder}
    done = subprocess.run([weft, "schedule", str(spec), "-q", "-d", "accelerator", "-s", "serial", "-D", f"dataset={dataset}"],
                          env=environment, capture_output=True, text=True, check=True)
    return int(re.search(r"kernel cycles (\d+)", done.stderr).group(1))


def measure(weft, kernel, dataset, folder):
    return f'{{"{kernel["name"]}", {dataset}, ' + ", ".join(
        str(cycles(weft, kernel, dataset, machine, folder)) for machine in (ACCELERATOR, CPU)) + "},"


def print_features(weft, kernels, folder):
    """A line is a kernel, a dataset, and the features of a work-item."""
    spec, told = pathlib.Path(folder, "spec.json"), pathlib.Path(folder, "features.json")
    spec.write_text(json.dumps([{**kernel, "id": name} for name, kernel in sorted(kernels.items())]))
    for dataset in DESCRIBED:
        subprocess.run([weft, "schedule", str(spec), "-q", "-d", "cpu", "-s", "serial", "-D", f"dataset={dataset}", "--features", str(told)],
                       env={**os.environ, "WEFT_CACHE_DIR": folder}, check=True)
        for row in json.loads(told.read_text()):
            print(f'{{"{row["name"]}", {dataset}, {{' + ", ".join(f"{value:.6g}" for value in row["features"]) + "}},")


def main():
    weft, examples = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    kernels = read_kernels(examples)
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[3:] == ["--features"]:
            print("/* SPDX-License-Identifier: MIT */\n/* Made by kernel_costs.py. */")
            print_features(weft, kernels, folder)
            return 0
        if len(sys.argv) > 3:
            table = pathlib.Path(sys.argv[4]).read_text().splitlines()
            for name in CHECKED:
                line = measure(weft, kernels[name], DATASETS[0], folder)
                if line not in table:
                    print(f"{line} is not in the table: make it anew")
                    return 1
            return 0
        print("/* SPDX-License-Identifier: MIT */\n/* Made by kernel_costs.py. */")
        for name, kernel in sorted(kernels.items()):
            for dataset in DATASETS:
                print(measure(weft, kernel, dataset, folder), flush=True)
    return 0


sys.exit(main())

# SPDX-License-Identifier: MIT
"""random_graphs.py WEFT COUNT [SEED]: random graphs of kernels over 1 to 5 devices, by each strategy, with results that are those of a
serial run bit for bit."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SOURCE = """
kernel void map(global const int *a, global int *b, int n)
{ const int i = get_global_id(0); if (i < n) b[i] = 3 * a[i] + n; }
kernel void stencil(global const int *a, global int *b)
{ const int i = get_global_id(0), n = get_global_size(0); b[i] = a[i] + (i ? a[i - 1] : 0) + (i + 1 < n ? a[i + 1] : 0); }
kernel void gather(global const int *a, global const int *b, global int *c)
{ const int i = get_global_id(0), n = get_global_size(0); c[i] = a[n - 1 - i] - b[(i * 7) % n]; }
kernel void scatter(global const int *a, global int *b)
{ const int i = get_global_id(0), n = get_global_size(0); b[n - 1 - i] = a[i] ^ (int)get_num_groups(0); }
kernel void update(global int *a, global const int *b)
{ const int i = get_group_id(0) * get_local_size(0) + get_local_id(0); a[i] = a[i] * 5 + b[i]; }
kernel void sum(global const int *a, global int *b, local int *part)
{
  const int i = get_local_id(0);
  part[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) { int s = 0; for (int k = 0; k < get_local_size(0); k++) s += part[k]; b[get_group_id(0)] = s; }
}
kernel void rows(global const int *a, global int *b)
{ const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0); b[y * w + x] = a[y * w + (w - 1 - x)] + y; }
"""


def buffer(pos, count, source=None, broken=0, halo=None):
    made = {"pos": pos, "type": "int", "size": count, "break": broken}
    if halo is not None:
        made["halo"] = halo
    if source:
        made["from"] = {"kernel": source[0], "pos": source[1]}
    return made


def kernel(choice, pick, n, rng):
    """A kernel of that kind, with the position and the number of elements of what it writes."""
    lines = 8
    broken = rng.randrange(2)
    local = {"localWorkSize": [rng.choice([16, 32, 64])]} if rng.randrange(2) else {}
    kinds = {
        "map": ({"inputBuffers": [buffer(0, n, pick(n), 1, 0)], "outputBuffers": [buffer(1, n, broken=broken)],
                 "varArguments": [{"pos": 2, "type": "int", "value": "partition_round(%d, size_percent)" % n}]}, 1, n),
        "stencil": ({"inputBuffers": [buffer(0, n, pick(n), 1, 1)], "outputBuffers": [buffer(1, n, broken=broken)]}, 1, n),
        "gather": ({"inputBuffers": [buffer(0, n, pick(n)), buffer(1, n, pick(n), 1)],
                    "outputBuffers": [buffer(2, n, broken=broken)]}, 2, n),
        "scatter": ({"inputBuffers": [buffer(0, n, pick(n), 1, 0)], "outputBuffers": [buffer(1, n)]}, 1, n),
        "update": ({"ioBuffers": [buffer(0, n, pick(n), broken)], "inputBuffers": [buffer(1, n, pick(n), 1, 0)]}, 0, n),
        "sum": ({"inputBuffers": [buffer(0, n, pick(n), 1, 0)], "outputBuffers": [buffer(1, n // 32, broken=broken)],
                 "localArguments": [{"pos": 2, "type": "int", "size": 32}], "localWorkSize": [32]}, 1, n // 32),
        "rows": ({"globalWorkSize": [n // lines, lines], "inputBuffers": [buffer(0, n, pick(n), 1, 0)],
                  "outputBuffers": [buffer(1, n, broken=broken)]}, 1, n),
    }
    made, pos, count = kinds[choice]
    whole = {"name": choice, "src": "k.cl", "globalWorkSize": [n], "partition": rng.randrange(11), **local, **made}
    if choice == "rows":
        whole.pop("localWorkSize", None)
    return whole, pos, count


def graph(rng):
    n = rng.choice([512, 4096])
    kernels, written = [], []

    def pick(count):
        fitting = [place for place in written if place[2] >= count]
        return rng.choice(fitting)[:2] if fitting and rng.random() < 0.7 else None

    for number in range(1, rng.randrange(2, 9)):
        made, pos, count = kernel(rng.choice(["map", "stencil", "gather", "scatter", "update", "sum", "rows"]), pick, n, rng)
        made["id"] = number
        if number > 1 and rng.random() < 0.2:
            made["depends"] = [rng.randrange(1, number)]
        kernels.append(made)
        written.append((str(number), pos, count))
    rng.shuffle(kernels)
    return kernels


def main():
    weft, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = [line.split()[0] for line in
             subprocess.run([weft, "schedule", "--strategies"], check=True, capture_output=True, text=True).stdout.splitlines()]
    environment = {**os.environ, "WEFT_DEVICES": "pthread,accel", "WEFT_THREADS": "2"}
    # With memories of their own, with one, and both.
    machines = ["clusters=2;clusters=1", "clusters=2,memory=m;clusters=1,memory=m", "memory=m;clusters=2,memory=m;clusters=1"]
    with tempfile.TemporaryDirectory() as folder:
        # The programs are few, and the same in all graphs.
        environment["WEFT_CACHE_DIR"] = folder
        pathlib.Path(folder, "k.cl").write_text(SOURCE)
        spec = pathlib.Path(folder, "graph.json")
        for seed in range(first, first + count):
            rng = random.Random(seed)
            spec.write_text(json.dumps(graph(rng), indent=1))
            devices = rng.choice(["cpu", "cpu:2", "cpu,accelerator", "cpu:2,accelerator", "accelerator"])
            environment["WEFT_ACCEL"] = machines[seed % len(machines)]
            command = [weft, "schedule", str(spec), "--verify", "-s", names[seed % len(names)], "-d", devices]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"seed {seed}: WEFT_ACCEL='{environment['WEFT_ACCEL']}' {' '.join(command)}\n{done.stderr}\n{spec.read_text()}")
                return 1
    print(f"{count} graphs, {len(names)} strategies: passed")
    return 0


sys.exit(main())

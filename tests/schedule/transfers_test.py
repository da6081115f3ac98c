# SPDX-License-Identifier: MIT
"""transfers_test.py WEFT: what moves between the memories of devices, by the trace of a run and by what the accelerators counted."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = """
kernel void twice(global const int *a, global int *b) { b[get_global_id(0)] = 2 * a[get_global_id(0)]; }
kernel void grow(global int *a) { a[get_global_id(0)] += get_global_id(0); }
kernel void sum(global const int *a, global const int *b, global int *c) { c[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)]; }
"""
COUNT = 16384
BYTES = 4 * COUNT


def buffer(pos, **more):
    return {"pos": pos, "type": "int", "size": COUNT, "break": 1, **more}


def twice(name):
    return {"name": "twice", "id": name, "src": "k.cl", "globalWorkSize": [COUNT],
            "inputBuffers": [buffer(0, fill="random", halo=0)], "outputBuffers": [buffer(1)]}


# fcfs gives the first two to two devices; the third one reads what both have written.
GRAPH = [twice("a"), twice("b"),
         {"name": "sum", "id": "c", "src": "k.cl", "globalWorkSize": [COUNT],
          "inputBuffers": [buffer(0, halo=0, **{"from": {"kernel": "a", "pos": 1}}),
                           buffer(1, halo=0, **{"from": {"kernel": "b", "pos": 1}})],
          "outputBuffers": [buffer(2)]}]

# The second one begins with what the first one has written.
INHERITED = [twice("a"), {"name": "grow", "id": "b", "src": "k.cl", "globalWorkSize": [COUNT],
                          "ioBuffers": [buffer(0, **{"from": {"kernel": "a", "pos": 1}})]}]

# The graph, the machine, the devices: transfers from the host, between devices or buffers, to the host; requests of all accelerators' DMA engines, which are
# these, and three that fill results with zeros.
CASES = [
    (GRAPH, "clusters=2,memory=m;clusters=2,memory=m", "accelerator", (2, 0, 3), 8),  # one memory
    (GRAPH, "clusters=2;clusters=2", "accelerator", (2, 1, 3), 9),  # a copy by the engine of one of them
    (GRAPH, "clusters=2", "accelerator:2", (2, 0, 3), 8),
    (GRAPH, "clusters=2", "cpu:2", (0, 0, 0), 0),  # the host's memory
    (INHERITED, "clusters=2", "accelerator", (1, 1, 2), 5),  # by the device, and not by way of the host
    (INHERITED, "clusters=2", "cpu", (0, 0, 0), 0),
]


def run(weft, folder, machine, devices):
    trace = pathlib.Path(folder, "trace.json")
    environment = {**os.environ, "WEFT_DEVICES": "pthread,accel", "WEFT_ACCEL": machine, "WEFT_THREADS": "2",
                   "WEFT_ACCEL_STATS": "1", "WEFT_CACHE_DIR": folder}
    done = subprocess.run([weft, "schedule", str(pathlib.Path(folder, "graph.json")), "-s", "fcfs", "-d", devices,
                           "--trace", str(trace)], env=environment, capture_output=True, text=True, check=True)
    spans = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
    counts = tuple(sum(span["name"] == name for span in spans)
                   for name in ("to the device", "from device memory", "from the device"))
    assert all(span["args"]["bytes"] == BYTES for span in spans if "device" in span["name"]), spans
    return counts, sum(int(number) for number in re.findall(r"DMA requests (\d+)", done.stderr))


def main():
    weft = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "k.cl").write_text(SOURCE)
        for graph, machine, devices, spans, requests in CASES:
            pathlib.Path(folder, "graph.json").write_text(json.dumps(graph))
            found = run(weft, folder, machine, devices)
            assert found == (spans, requests), (machine, devices, found, (spans, requests))
    print("passed")


main()

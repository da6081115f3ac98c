#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trace_test.py COMMAND...: runs a program on a picture with WEFT_TRACE and checks what it leaves.

Every slice of a thread has its end, slices nest, every command is there once as waiting and once as running, on a
queue that has a name, and every arrow has two ends. What is drawn of it is a picture.
"""
import collections
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from xml.etree import ElementTree

PICTURE = os.path.join(os.path.dirname(__file__), "../tests/bench/trace_picture.py")


def write_picture(path, width=1200, height=800):
    """A PNG file of 8 bits for each of red, green and blue."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    row = bytes(value for x in range(width) for value in (x * 255 // width, x % 251, x * x // 7 % 256))
    rows = b"".join(b"\0" + row[3 * (y % 97):] + row[:3 * (y % 97)] for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def check_threads(events):
    """Returns the names of all slices."""
    stacks = collections.defaultdict(list)
    names = []
    for event in events:
        if event["ph"] == "B":
            stacks[event["tid"]].append(event["ts"])
            names.append(event["name"])
        elif event["ph"] == "E":
            assert stacks[event["tid"]], "an end without a beginning"
            assert stacks[event["tid"]].pop() <= event["ts"]
    assert not any(stacks.values()), "a slice without an end"
    return names


def check_queues(events):
    """Returns the numbers of all commands."""
    spans = collections.defaultdict(list)
    queues = {e["pid"] for e in events if e["ph"] == "M" and "queue" in e["args"]["name"]}
    for event in events:
        if event.get("cat") == "queue":
            spans[event["id"]].append(event)
    for span in spans.values():
        span.sort(key=lambda event: (event["name"] != "waits", event["ph"]))
        assert [event["ph"] for event in span] == ["b", "e", "b", "e"]
        assert span[1]["name"] == "waits" and span[2]["name"] == span[3]["name"]
        times = [event["ts"] for event in span]
        assert times == sorted(times) and times[1] == times[2]
        assert len({event["pid"] for event in span}) == 1 and span[0]["pid"] in queues
    return set(spans)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path, photograph = (os.path.join(folder, name) for name in ("trace.json", "photograph.png"))
        write_picture(photograph)  # the program's own takes longer to make than to develop
        environment = dict(os.environ, WEFT_TRACE=path, WEFT_CACHE="0")
        subprocess.run([*sys.argv[1:], photograph], check=True, env=environment, stdout=subprocess.DEVNULL)
        with open(path) as file:
            events = json.load(file)
        picture = subprocess.run([sys.executable, PICTURE, path], check=True, stdout=subprocess.PIPE).stdout
    names = check_threads(events)
    commands = check_queues(events)
    assert "build program" in names
    assert commands, "no command"
    begun = {e["args"]["command"] for e in events if e["ph"] == "B" and "args" in e}
    assert begun <= commands, "a thread works on a command that no queue has"
    ends = [sorted(e["id"] for e in events if e["ph"] == phase) for phase in "sf"]
    assert ends[0] == ends[1], "an arrow with one end"
    assert set(ends[0]) <= commands
    # a bar in a thread, one in the queue and a line for each command at least
    assert len(ElementTree.fromstring(picture)) > 3 * len(commands)


main()

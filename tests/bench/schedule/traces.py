# SPDX-License-Identifier: MIT
"""What a trace of a run says."""

import json


def kernel_seconds(schedule, path):
    """Seconds that kernels ran in the last run."""
    schedule.write_trace(str(path))
    return sum(span["dur"] for span in spans_of(json.loads(path.read_text())) if kind_of(span) == "kernels") * 1e-6


def spans_of(trace):
    return [event for event in trace["traceEvents"] if event["ph"] == "X"]


def kind_of(span):
    return {"to the device": "to", "from the device": "from", "merge": "merge"}.get(span["name"], "kernels")


def time_of_devices(trace):
    """Of each device, the share of the run in which kernels run on it, and in which bytes move to it and from it."""
    spans = spans_of(trace)
    whole = max(span["ts"] + span["dur"] for span in spans) - min(span["ts"] for span in spans)
    shares = {}
    for span in spans:
        kind = kind_of(span)
        device = shares.setdefault(span["tid"], {})
        device[kind] = device.get(kind, 0) + span["dur"] / whole
        device["parts"] = device.get("parts", 0) + (kind == "kernels")
    return shares


def names_of_devices(trace):
    return [event["args"]["name"] for event in trace["traceEvents"] if event["ph"] == "M" and event["name"] == "thread_name"]

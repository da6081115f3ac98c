# SPDX-License-Identifier: MIT
"""python_test.py EXAMPLES: the Python binding runs specifications, has their results, and tells errors."""

import array
import json
import locale
import os
import subprocess
import sys
import tempfile

from weft.schedule import Schedule, ScheduleError

SIDE = 64


def expect_error(text, function, *arguments):
    try:
        function(*arguments)
    except ScheduleError as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no error says '{text}'")


def use_decimal_comma(folder):
    """The locale becomes one whose numbers have a comma where Python's have a point."""
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/comma"], check=True)
    os.environ["LOCPATH"] = folder
    locale.setlocale(locale.LC_ALL, "comma")
    assert locale.localeconv()["decimal_point"] == ","


def check_numbers_in(folder):
    with open(f"{folder}/k.cl", "w", encoding="utf-8") as source:
        source.write("kernel void k(global float *out) { out[get_global_id(0)] = FACTOR; }")
    kernel = {"id": "k", "name": "k", "src": "k.cl", "globalWorkSize": "int(2.5 * 256)", "macros_values": {"FACTOR": 0.25},
              "outputBuffers": [{"pos": 0, "type": "float", "size": "int(0.5 * 1280)"}]}
    with open(f"{folder}/k.json", "w", encoding="utf-8") as spec:
        json.dump(kernel, spec)
    for kept in (1, 2, 3):  # a rate by the first run; by each later one what the whole run has taken
        with Schedule(devices="cpu", rates=f"{folder}/rates.txt") as schedule:
            schedule.read(f"{folder}/k.json")
            schedule.run()
            assert set(array.array("f", schedule.buffer("k", 0))) == {0.25}
            schedule.write_trace(f"{folder}/trace.json")
            with open(f"{folder}/trace.json", encoding="utf-8") as trace:
                json.load(trace)
        with open(f"{folder}/rates.txt", encoding="utf-8") as rates:
            assert len(rates.readlines()) == 1 + kept


def check_wrong_arguments():
    with Schedule(devices="cpu") as schedule:
        expect_error("is not from", schedule.set, "dataset", 2**64 + SIDE)
        expect_error("is not from", schedule.buffer, "mean", 2**32 + 1)
        expect_error("zero character", schedule.read, sys.argv[1] + "/mean.json\0other")
        for function in (schedule.read, schedule.write_gantt):
            try:
                function(None)
            except TypeError:
                continue
            raise AssertionError("None is taken for a path")


def main():
    shares = []
    with Schedule(devices="cpu,accelerator", strategy="baseline", progress=shares.append) as schedule:
        schedule.set("dataset", SIDE)
        schedule.read(sys.argv[1] + "/covariance.json")
        expect_error("has not run", schedule.buffer, "mean", 1)
        schedule.run()
        assert shares and shares == sorted(shares) and shares[-1] == 1
        schedule.verify()
        data = array.array("f", schedule.buffer("mean", 0))
        means = array.array("f", schedule.buffer("mean", 1))
        result = array.array("f", schedule.buffer("covariance", 1))
        for i, mean in enumerate(means):
            assert abs(mean - sum(data[i::SIDE]) / SIDE) < 1e-5
        covariance = sum((data[k * SIDE] - means[0]) * (data[k * SIDE + 1] - means[1]) for k in range(SIDE)) / SIDE
        assert abs(result[1] - covariance) < 1e-5
        assert schedule.summary()["kernels"] == 3 and schedule.summary()["parts"] == 6
        expect_error("files are read before the first run", schedule.read, "other.json")
    expect_error("closed", schedule.run)
    expect_error("there is no strategy 'best'", Schedule(strategy="best").run)
    expect_error("none.json: No such file", Schedule().read, "none.json")
    check_wrong_arguments()
    with tempfile.TemporaryDirectory() as folder:
        use_decimal_comma(folder)
        check_numbers_in(folder)
    print("passed")


main()

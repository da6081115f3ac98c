# SPDX-License-Identifier: MIT
"""python_test.py EXAMPLES: the Python binding runs specifications, has their results, and tells errors."""

import array
import sys

from weft.schedule import Schedule, ScheduleError

SIDE = 64


def expect_error(text, function, *arguments):
    try:
        function(*arguments)
    except ScheduleError as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no error says '{text}'")


def main():
    with Schedule(devices="cpu,accelerator", strategy="baseline") as schedule:
        schedule.set("dataset", SIDE)
        schedule.read(sys.argv[1] + "/covariance.json")
        expect_error("has not run", schedule.buffer, "mean", 1)
        schedule.run()
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
    print("passed")


main()

# SPDX-License-Identifier: MIT
"""The measured process of beside.py: ["open", NAME, FORM, TYPE, ACCESS] makes a kernel, ["turn", SECONDS, REAL_TIME] times it.

The same numbers for all drivers; they fit in the second-level cache.
"""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "shapes"))
import numpy as np  # noqa: E402
import pyopencl as cl  # noqa: E402

import measured  # noqa: E402
from functions import function_of, kernel_of  # noqa: E402

VALUES = 16384
ROWS = 64  # that many times over the values in one launch, which itself takes some microseconds
LOCAL = 1024
NUMPY = {"half": np.float16, "float": np.float32, "double": np.float64}


class Server:
    """Answers requests; at most one kernel is open."""

    def __init__(self):
        self.device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)

    def open(self, name, form, kind, access):
        function = function_of(name)
        program = cl.Program(self.context, kernel_of(function, form, kind, access)).build(devices=[self.device])
        self.kernel = cl.Kernel(program, "run")
        random = np.random.default_rng(1)
        numbers = random.uniform(function.low, function.high, (2, VALUES)).astype(NUMPY[kind])
        places = random.permutation(VALUES).astype(np.int32)
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self.buffers = [cl.Buffer(self.context, flags, hostbuf=array)
                        for array in (numbers[0], numbers[1], np.zeros_like(numbers[0]), places)]
        self.kernel.set_args(*self.buffers)
        for _ in range(3):
            self.launch()
        return {"opened": True}

    def launch(self):
        """Seconds of one value."""
        start = time.perf_counter()
        cl.enqueue_nd_range_kernel(self.queue, self.kernel, (VALUES, ROWS), (LOCAL, 1))
        self.queue.finish()
        return (time.perf_counter() - start) / (VALUES * ROWS)

    def turn(self, seconds, real_time):
        if real_time:
            measured.set_real_time(True)
        try:
            end = time.perf_counter() + seconds
            self.launch()
            least = self.launch()
            while time.perf_counter() < end:
                least = min(least, self.launch())
            return {"seconds": least}
        finally:
            if real_time:
                measured.set_real_time(False)


if __name__ == "__main__":
    measured.serve(Server())

# SPDX-License-Identifier: MIT
"""The measured process: it prepares kernels by their names on the only driver that it finds, and runs them when told.

Standard input has a request in each line, as JSON: ["open", NAME, SCALE, FILE, SETTLE], ["turn", SECONDS, REAL_TIME], ["close"].
Standard output has an answer for each, as JSON. Results of an opened kernel are written to the file.
"""
import contextlib
import json
import os
import sys
import time

import numpy as np
import pyopencl as cl

import data
import kinds
import source

SETTLE_SECONDS = 0.6   # of the process's own time, in which code that a driver makes in the background comes to be
SETTLE_LIMIT = 5.0     # of waiting for it on a busy machine
SETTLE_ROUNDS = 3      # of both: what was made may have the driver make more, or try what it has made
REST_SECONDS = 0.02    # a process whose threads take less than a tenth of so long makes no code any more
REST_LIMIT = 2.0       # of waiting for that
MOST_BATCH = 16        # launches before the process waits for their end
BATCH_SECONDS = 0.0005


class Session:
    """One kernel, its arguments and its queue."""

    def __init__(self, device, context, queue, shape, scale):
        self.context, self.queue = context, queue
        self.kernel_text = source.kernel_of(shape, scale)
        start = time.perf_counter()
        program = cl.Program(context, self.kernel_text.text).build(devices=[device])
        self.kernel = cl.Kernel(program, "shape")
        self.build = time.perf_counter() - start
        self.arrays = [self._argument(argument) for argument in self.kernel_text.arguments]
        self.kernel.set_args(*self.arrays)
        self.clear()
        start = time.perf_counter()
        self.launch()
        queue.finish()
        self.first = time.perf_counter() - start

    def _argument(self, argument):
        flags = cl.mem_flags
        if argument.kind == "scalar":
            return np.int32(argument.value)
        if argument.kind == "input":
            return cl.Buffer(self.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=argument.value)
        return cl.Buffer(self.context, flags.READ_WRITE, argument.count * data.SIZES[argument.element])

    def clear(self):
        for argument, array in zip(self.kernel_text.arguments, self.arrays):
            if argument.kind == "output":
                cl.enqueue_fill_buffer(self.queue, array, np.uint8(0), 0, array.size)
        self.queue.finish()

    def launch(self):
        cl.enqueue_nd_range_kernel(self.queue, self.kernel, self.kernel_text.global_size, self.kernel_text.local_size)

    def results(self):
        """The output, without the lanes that have no value."""
        argument, array = self.kernel_text.arguments[1], self.arrays[1]
        result = np.empty(argument.count, data.NUMPY[argument.element])
        cl.enqueue_copy(self.queue, result, array)
        return result.reshape(-1, 4)[:, :3].ravel() if argument.hole else result

    def batch(self, count):
        """Seconds of one launch of so many."""
        start = time.perf_counter()
        for _ in range(count):
            self.launch()
        self.queue.finish()
        return (time.perf_counter() - start) / count

    @staticmethod
    def rest():
        """Waits until no thread of the process works: one that makes code takes a processor from the launches. Whether one did."""
        limit = time.perf_counter() + REST_LIMIT
        pauses, used = 0, REST_SECONDS
        while used > REST_SECONDS / 10 and time.perf_counter() < limit:
            start = time.process_time()
            time.sleep(REST_SECONDS)
            used = time.process_time() - start
            pauses += 1
        return pauses > 1

    def settle(self, seconds):
        least = self.batch(1)
        for _ in range(SETTLE_ROUNDS if seconds else 0):
            end, limit = time.process_time() + seconds, time.perf_counter() + SETTLE_LIMIT
            while time.process_time() < end and time.perf_counter() < limit:
                least = min(least, self.batch(1))
            if not self.rest():
                break
        self.count = int(min(max(BATCH_SECONDS / least, 1), MOST_BATCH))

    def turn(self, seconds):
        """The least time of a launch, of batches for so many seconds, after one that brings data and threads back."""
        end = time.perf_counter() + seconds
        self.batch(self.count)
        least = self.batch(self.count)
        while time.perf_counter() < end:
            least = min(least, self.batch(self.count))
        return least

    def stays_right(self, expected):
        """Whether the code that runs by now has the results of the first launch."""
        self.clear()
        self.launch()
        return bool(np.array_equal(self.results().view(np.uint8), expected.view(np.uint8)))

    def close(self):
        for array in self.arrays:
            if isinstance(array, cl.Buffer):
                array.release()


def offers(device, shape):
    text = source.kernel_of(shape, 1024).text
    return ("cl_khr_fp16 :" not in text or "cl_khr_fp16" in device.extensions) and (
        "cl_khr_fp64 :" not in text or "cl_khr_fp64" in device.extensions)


def set_real_time(real_time):
    """All threads of this process to the real-time class, or back: other work waits for them. But those of low priority stay as they are."""
    policy = os.SCHED_RR if real_time else os.SCHED_OTHER
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(ProcessLookupError):  # it has ended
            if os.getpriority(os.PRIO_PROCESS, int(thread)) > 0:
                continue
            os.sched_setscheduler(int(thread), policy, os.sched_param(5 if real_time else 0))


class Server:
    """Answers requests; at most one kernel is open."""

    def __init__(self):
        self.device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)
        self.session = self.expected = None

    def open(self, name, scale, path, settle):
        shape = kinds.shape_of(name)
        if not offers(self.device, shape):
            return {"failed": "none"}
        self.session = Session(self.device, self.context, self.queue, shape, scale)
        self.expected = self.session.results()
        np.save(path, self.expected)
        self.session.settle(SETTLE_SECONDS if settle else 0)
        return {"build": self.session.build, "first": self.session.first}

    def turn(self, seconds, real_time):
        if real_time:
            set_real_time(True)
        try:
            return {"seconds": self.session.turn(seconds)}
        finally:
            if real_time:
                set_real_time(False)

    def close(self):
        right = self.session.stays_right(self.expected)
        self.session.close()
        self.session = None
        return {} if right else {"failed": "later code has other results"}


def serve(server):
    """Answers each request by the server's function of that name."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # drivers may print
    for line in sys.stdin:
        operation, *arguments = json.loads(line)
        try:
            answer = getattr(server, operation)(*arguments)
        except (cl.Error, RuntimeError) as error:
            answer = {"failed": str(error).strip()}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    serve(Server())

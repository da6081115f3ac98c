# SPDX-License-Identifier: MIT
"""reikna: transforms, matrix products, sums, scans and random numbers by OpenCL, against numpy."""

import numpy as np
from grunnur import API, Array, Context, Queue, opencl_api_id
from reikna.algorithms import Reduce, Scan, predicate_sum
from reikna.cbrng import CBRNG
from reikna.fft import FFT
from reikna.linalg import MatrixMul

api = API.all_by_shortcut("opencl")[0]
context = Context.from_devices([api.platforms[0].devices[0]])
queue = Queue(context.device)
random = np.random.default_rng(5)


def run(computation, result, *given):
    compiled = computation.compile(context.device)
    compiled(queue, result, *given)
    return result.get(queue)


values = (random.uniform(size=(8, 1000)) + 1j).astype(np.complex64)
got = run(FFT(values, axes=(1,)), Array.empty_like(context.device, values), Array.from_host(queue, values))
assert np.allclose(got, np.fft.fft(values, axis=1), rtol=1e-4, atol=1e-3)
print("transform right")

a, b = (random.uniform(size=shape).astype(np.float32) for shape in ((100, 130), (130, 70)))
got = run(MatrixMul(a, b), Array.empty(context.device, (100, 70), np.float32), Array.from_host(queue, a),
          Array.from_host(queue, b))
assert np.allclose(got, a @ b, rtol=1e-4)
print("product right")

numbers = random.integers(0, 1000, 100000)
got = run(Reduce(numbers, predicate_sum(numbers.dtype)), Array.empty(context.device, (), numbers.dtype),
          Array.from_host(queue, numbers))
assert got == numbers.sum()
got = run(Scan(numbers, predicate_sum(numbers.dtype)), Array.empty_like(context.device, numbers),
          Array.from_host(queue, numbers))
assert (got == np.cumsum(numbers)).all()
print("sum and scan right")

# SPDX-License-Identifier: MIT
"""reikna: transforms, matrix products, sums and scans by OpenCL, against numpy."""

import numpy as np
from reikna import cluda
from reikna.algorithms import Reduce, Scan, predicate_sum
from reikna.fft import FFT
from reikna.linalg import MatrixMul

thread = cluda.ocl_api().Thread.create()
random = np.random.default_rng(5)


def run(computation, shape, kind, *given):
    """What the computation makes of the given arrays."""
    result = thread.array(shape, kind)
    computation.compile(thread)(result, *[thread.to_device(array) for array in given])
    return result.get()


values = (random.uniform(size=(8, 1000)) + 1j).astype(np.complex64)
got = run(FFT(values, axes=(1,)), values.shape, values.dtype, values)
assert np.allclose(got, np.fft.fft(values, axis=1), rtol=1e-4, atol=1e-3)
print("transform right")

a, b = (random.uniform(size=shape).astype(np.float32) for shape in ((100, 130), (130, 70)))
got = run(MatrixMul(a, b), (100, 70), np.float32, a, b)
assert np.allclose(got, a @ b, rtol=1e-4)
print("product right")

numbers = random.integers(0, 1000, 100000)
got = run(Reduce(numbers, predicate_sum(numbers.dtype)), (), numbers.dtype, numbers)
assert got == numbers.sum()
got = run(Scan(numbers, predicate_sum(numbers.dtype), exclusive=False), numbers.shape, numbers.dtype, numbers)
assert (got == np.cumsum(numbers)).all()
print("sum and scan right")

# SPDX-License-Identifier: MIT
"""pyvkfft: VkFFT's transforms by OpenCL, against numpy."""

import numpy as np
import pyopencl as cl
import pyopencl.array
from pyvkfft.fft import fftn, ifftn, irfftn, rfftn

queue = cl.CommandQueue(cl.create_some_context(interactive=False))
random = np.random.default_rng(5)

# Powers of two, other small primes, and a large one, which takes Bluestein's algorithm.
for shape in ((4096,), (3, 1000), (64, 49), (16, 30, 22), (2, 1031)):
    for kind, tolerance in ((np.complex64, 1e-5), (np.complex128, 1e-12)):
        axes = len(shape) if len(shape) != 2 else 1
        ndim = {"ndim": axes}
        last = tuple(range(len(shape) - axes, len(shape)))
        values = (random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)).astype(kind)
        given = cl.array.to_device(queue, values)
        expected = np.fft.fftn(values, axes=last)
        there = fftn(given, cl_queue=queue, **ndim)
        assert np.abs(there.get() - expected).max() < tolerance * np.abs(expected).max(), (shape, kind)
        back = ifftn(there, cl_queue=queue, **ndim)
        assert np.abs(back.get() - values).max() < tolerance, (shape, kind)
    real = random.uniform(-1, 1, shape).astype(np.float32)
    if shape[-1] % 2 == 0:
        there = rfftn(cl.array.to_device(queue, real), cl_queue=queue, **ndim)
        expected = np.fft.rfftn(real, axes=last)
        assert np.abs(there.get() - expected).max() < 1e-5 * np.abs(expected).max(), shape
        assert np.abs(irfftn(there, cl_queue=queue, **ndim).get() - real).max() < 1e-5, shape
    print(shape, "right")

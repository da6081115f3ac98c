# SPDX-License-Identifier: MIT
"""clFFT on the platform named by the first argument, compared with numpy's transforms."""

import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from gpyfft.fft import FFT

random = np.random.default_rng(3)


def transform(queue, source, result=None, **options):
    """Runs one transform and waits for it; returns what it made."""
    x = cla.to_device(queue, source)
    y = cla.to_device(queue, result) if result is not None else None
    forward = options.pop("forward", True)
    for event in FFT(queue.context, queue, x, y, **options).enqueue(forward=forward):
        event.wait()
    return (x if y is None else y).get()


def check(name, got, expected, tolerance):
    worst = np.abs(got - expected).max() / max(1.0, np.abs(expected).max())
    assert worst < tolerance, f"{name}: off by {worst}"
    print("right:", name, flush=True)


def check_complex(queue, shape, kind, axes, forward=True):
    tolerance = 2e-6 if kind == np.complex64 else 1e-13
    a = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(kind)
    function = np.fft.fftn if forward else np.fft.ifftn
    got = transform(queue, a, axes=axes, forward=forward)
    check(f"{kind.__name__} {shape} over {axes}, {'forward' if forward else 'backward'}", got,
          function(a, axes=axes), tolerance)


def check_real(queue, shape, kind, tolerance):
    a = random.standard_normal(shape).astype(kind)
    result = np.zeros(shape[:-1] + (shape[-1] // 2 + 1,), np.result_type(kind, np.complex64))
    got = transform(queue, a, result, axes=(len(shape) - 1,))
    check(f"real {kind.__name__} {shape}", got, np.fft.rfft(a), tolerance)


def main():
    platforms = cl.get_platforms()
    assert [p.name for p in platforms] == [sys.argv[1]], platforms
    queue = cl.CommandQueue(cl.Context([platforms[0].get_devices()[0]]))
    for length in (2, 13, 243, 1001, 3125, 8192):
        check_complex(queue, (4, length), np.complex64, (1,))
        check_complex(queue, (4, length), np.complex128, (1,), forward=False)
    check_complex(queue, (1, 65536), np.complex64, (1,))
    check_complex(queue, (96, 100), np.complex64, (0, 1))
    check_complex(queue, (24, 32, 20), np.complex128, (0, 1, 2))
    check_real(queue, (8, 1024), np.float32, 2e-6)
    check_real(queue, (3, 1260), np.float64, 1e-13)
    print("passed: clFFT agrees with numpy on", queue.device.name)


main()

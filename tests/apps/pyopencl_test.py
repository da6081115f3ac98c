# SPDX-License-Identifier: MIT
"""PyOpenCL on the platform named by the first argument, compared with numpy; the second is Clang. Every check_* function runs."""

import subprocess
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.clmath as clmath
import pyopencl.clrandom as clrandom
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel

SIZES = (1, 2, 63, 1000, 100_003)
random = np.random.default_rng(7)


def same(got, expected, tolerance=0.0):
    """Fails unless two arrays agree, each element within the relative tolerance."""
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def check_array_arithmetic(queue):
    for kind in (np.float32, np.float64, np.int32, np.uint64):
        for size in SIZES:
            a = random.integers(1, 100, size).astype(kind)
            b = random.integers(1, 100, size).astype(kind)
            x, y = cla.to_device(queue, a), cla.to_device(queue, b)
            same((x + y).get(), a + b)
            same((3 * x - y * y).get(), 3 * a - b * b)
            same((x + 5).get(), a + kind(5))
            same((-x).get(), -a)
            x += y
            same(x.get(), a + b)
            assert (x.get() == (a + b)).all() and x.dtype == kind


def check_array_views(queue):
    a = random.standard_normal((64, 48)).astype(np.float32)
    x = cla.to_device(queue, a)
    same(x[5:20].get(), a[5:20])
    same(x.reshape(48, 64).get(), a.reshape(48, 64))
    same(x.T.get(), a.T)
    index = random.permutation(a.size).astype(np.int32)
    same(cla.take(x.ravel(), cla.to_device(queue, index)).get(), a.ravel()[index])
    same(cla.if_positive(x.ravel(), x.ravel(), -x.ravel()).get(), np.abs(a.ravel()))
    same(cla.concatenate((x, x)).get(), np.concatenate((a, a)))
    same(x.astype(np.float64).get(), a.astype(np.float64))
    same(cla.arange(queue, 1000, dtype=np.int32).get(), np.arange(1000, dtype=np.int32))
    same(cla.zeros(queue, (7, 9), np.float32).get(), np.zeros((7, 9), np.float32))
    small = random.integers(-100, 100, 5000).astype(np.int8)
    same(cla.to_device(queue, small).get(), small)


def check_complex(queue):
    for kind, tolerance in ((np.complex64, 1e-5), (np.complex128, 1e-12)):
        a = (random.standard_normal(5000) + 1j * random.standard_normal(5000)).astype(kind)
        b = (random.standard_normal(5000) + 1j * random.standard_normal(5000)).astype(kind)
        x, y = cla.to_device(queue, a), cla.to_device(queue, b)
        same((x * y).get(), a * b, tolerance)
        same((x / y).get(), a / b, 20 * tolerance)
        same(x.conj().get(), a.conj())
        same(abs(x).get(), abs(a), tolerance)


def check_mathematics(queue):
    for kind, tolerance in ((np.float32, 2e-6), (np.float64, 1e-14)):
        a = random.uniform(0.1, 4.0, 10_000).astype(kind)
        x = cla.to_device(queue, a)
        for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "floor", "ceil", "fabs"):
            same(getattr(clmath, name)(x).get(), getattr(np, name)(a), tolerance * 8)
        same(clmath.atan2(x, 2 * x).get(), np.arctan2(a, 2 * a), tolerance * 8)
        same((x ** kind(1.5)).get(), a ** kind(1.5), tolerance * 16)


def check_reduction(queue):
    for size in SIZES:
        a = random.integers(-1000, 1000, size).astype(np.int64)
        x = cla.to_device(queue, a)
        assert cla.sum(x).get() == a.sum()
        assert cla.max(x).get() == a.max()
        assert cla.min(x).get() == a.min()
        assert cla.dot(x, x).get() == a.dot(a)
        f = random.uniform(0, 1, size)
        same(cla.sum(cla.to_device(queue, f)).get(), f.sum(), 1e-12)
    largest = ReductionKernel(queue.context, np.float32, neutral="-INFINITY", reduce_expr="fmax(a, b)",
                              map_expr="x[i] * y[i]", arguments="__global float *x, __global float *y")
    a, b = (random.standard_normal(77_777).astype(np.float32) for _ in range(2))
    same(largest(cla.to_device(queue, a), cla.to_device(queue, b)).get(), (a * b).max())


def check_scan(queue):
    for size in SIZES + (1_000_000,):
        a = random.integers(0, 100, size).astype(np.int32)
        x = cla.to_device(queue, a)
        InclusiveScanKernel(queue.context, np.int32, "a+b", neutral="0")(x)
        same(x.get(), np.cumsum(a))
        x = cla.to_device(queue, a)
        ExclusiveScanKernel(queue.context, np.int32, "a+b", neutral="0")(x)
        same(x.get(), np.cumsum(a) - a)
        x = cla.to_device(queue, a)
        InclusiveScanKernel(queue.context, np.int32, "max(a,b)", neutral="-1")(x)
        same(x.get(), np.maximum.accumulate(a))


def check_compaction(queue):
    """A scan that writes where a predicate holds: what pyopencl.algorithm.copy_if makes."""
    a = random.integers(0, 1000, 200_000).astype(np.int32)
    kernel = GenericScanKernel(
        queue.context, np.int32,
        arguments="__global int *values, __global int *result, __global int *count",
        input_expr="(values[i] > 500) ? 1 : 0", scan_expr="a+b", neutral="0",
        output_statement="""
            if (prev_item != item) result[item - 1] = values[i];
            if (i + 1 == N) *count = item;
            """)
    x, count = cla.to_device(queue, a), cla.zeros(queue, 1, np.int32)
    result = cla.empty_like(x)
    kernel(x, result, count)
    expected = a[a > 500]
    assert count.get()[0] == len(expected)
    same(result.get()[:len(expected)], expected)


def check_elementwise(queue):
    kernel = ElementwiseKernel(
        queue.context, "float a, __global float *x, __global const float *y, __global float *z",
        "z[i] = helper(a, x[i]) + y[i]",
        preamble="float helper(float a, float x) { return a * x > 0.0f ? a * x : 0.25f * a * x; }")
    for size in SIZES:
        a, b = (random.standard_normal(size).astype(np.float32) for _ in range(2))
        z = cla.empty(queue, size, np.float32)
        kernel(np.float32(2.5), cla.to_device(queue, a), cla.to_device(queue, b), z)
        scaled = np.float32(2.5) * a
        same(z.get(), np.where(scaled > 0, scaled, np.float32(0.25) * scaled) + b, 1e-6)


def check_structures(queue):
    """A structured type, its C declaration matched to the device's layout."""
    kind = np.dtype([("weight", np.float32), ("count", np.int64), ("flag", np.int8)])
    kind, declaration = cl.tools.match_dtype_to_c_struct(queue.device, "thread_info", kind)
    cl.tools.get_or_register_dtype("thread_info", kind)
    program = cl.Program(queue.context, declaration + """
        kernel void advance_all(global thread_info *items)
        {
            size_t i = get_global_id(0);
            items[i].weight *= 2.0f;
            items[i].count += items[i].flag;
        }""").build()
    host = np.zeros(1000, kind)
    host["weight"], host["count"], host["flag"] = np.arange(1000), 10, np.arange(1000) % 100
    buffer = cla.to_device(queue, host)
    program.advance_all(queue, (1000,), None, buffer.data)
    got = buffer.get()
    same(got["weight"], 2 * host["weight"])
    same(got["count"], host["count"] + host["flag"])


def check_random_numbers(queue):
    for generator in (clrandom.PhiloxGenerator, clrandom.ThreefryGenerator):
        uniform = generator(queue.context).uniform(queue, 200_000, np.float64).get()
        assert 0.0 <= uniform.min() and uniform.max() <= 1.0
        assert abs(uniform.mean() - 0.5) < 0.01 and abs(uniform.var() - 1 / 12) < 0.01
        normal = generator(queue.context).normal(queue, 200_000, np.float32).get()
        assert abs(normal.mean()) < 0.02 and abs(normal.std() - 1.0) < 0.02


def check_events(queue):
    context = queue.context
    program = cl.Program(context, """
        kernel void add(global int *x, int what) { x[get_global_id(0)] += what; }""").build()
    queue = cl.CommandQueue(context, properties=(
        cl.command_queue_properties.PROFILING_ENABLE |
        cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE))
    host = np.zeros(4096, np.int32)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes)
    gate = cl.UserEvent(context)
    last = cl.enqueue_copy(queue, buffer, host, is_blocking=False, wait_for=[gate])
    first, called = last, []
    for i in range(50):
        last = program.add(queue, host.shape, (64,), buffer, np.int32(i), wait_for=[last])
    assert first.command_execution_status != cl.command_execution_status.COMPLETE
    last.set_callback(cl.command_execution_status.COMPLETE, called.append)
    gate.set_status(cl.command_execution_status.COMPLETE)
    cl.enqueue_copy(queue, host, buffer, wait_for=[last])
    assert (host == sum(range(50))).all()
    profile = last.profile
    assert profile.queued <= profile.submit <= profile.start <= profile.end
    assert first.profile.end <= profile.start
    last.wait()
    queue.finish()
    assert cl.enqueue_marker(queue).wait() is None


def check_build_errors(queue):
    try:
        cl.Program(queue.context, "kernel void broken(global int *x) {\n  x[0] = nothing;\n}").build()
    except cl.RuntimeError as error:
        assert "nothing" in str(error) and ":2:" in str(error), str(error)
    else:
        raise AssertionError("a program with an error was built")


def check_spirv(queue):
    """What Clang makes of the source, by its standard input and output."""
    source = "kernel void twice(global int *x, int n) { size_t i = get_global_id(0); x[i] = 2 * x[i] + n; }"
    command = [sys.argv[2], "-target", "spirv64-unknown-unknown", "-x", "cl", "-cl-std=CL3.0", "-Xclang",
               "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header", "-O1", "-c", "-", "-o", "-"]
    module = subprocess.run(command, input=source.encode(), stdout=subprocess.PIPE, check=True).stdout
    program = cl.Program(queue.context, module).build()
    host = np.arange(1000, dtype=np.int32)
    buffer = cl.Buffer(queue.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
    program.twice(queue, host.shape, None, buffer, np.int32(7))
    got = np.empty_like(host)
    cl.enqueue_copy(queue, got, buffer)
    assert (got == 2 * host + 7).all()
    try:
        cl.Program(queue.context, module[:-4]).build()
    except cl.RuntimeError:
        return
    raise AssertionError("a part of a module was built")


def check_maps_and_rectangles(queue):
    host = np.arange(64 * 64, dtype=np.int32).reshape(64, 64)
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, host.nbytes)
    mapped, _ = cl.enqueue_map_buffer(queue, buffer, cl.map_flags.WRITE, 0, host.shape, host.dtype)
    mapped[...] = host
    mapped.base.release(queue)
    part = np.empty((8, 16), np.int32)
    cl.enqueue_copy(queue, part, buffer, buffer_origin=(4 * 4, 10, 0), host_origin=(0, 0, 0),
                    region=(16 * 4, 8, 1), buffer_pitches=(64 * 4,), host_pitches=(16 * 4,))
    same(part, host[10:18, 4:20])
    cl.enqueue_fill_buffer(queue, buffer, np.int32(7), 0, 1024)
    got = np.empty_like(host)
    cl.enqueue_copy(queue, got, buffer)
    same(got.ravel()[:256], 7)
    same(got.ravel()[256:], host.ravel()[256:])


def main():
    platforms = cl.get_platforms()
    assert [p.name for p in platforms] == [sys.argv[1]], platforms
    queue = cl.CommandQueue(cl.Context([platforms[0].get_devices()[0]]))
    checks = [f for name, f in sorted(globals().items()) if name.startswith("check_")]
    for check in checks:
        check(queue)
        print("right:", check.__name__[6:].replace("_", " "), flush=True)
    print(f"passed: {len(checks)} checks on {queue.device.name}")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What clBuildProgram takes for kernels of the kernel benchmark as OpenCL C and as the SPIR-V that Clang makes of it.

usage: OCL_ICD_VENDORS=VENDORS WEFT_CACHE=0 spirv_builds.py [-n RUNS] [KERNEL...]

The two take turns in one process, after a first build of each. Figures are medians, in milliseconds; the ratios' geometric mean is last.
It needs Debian's python3-pyopencl and clang-22."""

import argparse
import math
import pathlib
import statistics
import subprocess
import time

import pyopencl

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"
USUAL = """add aes bitonic_local black_scholes convolve7 dct8x8 fft_stage hash histogram image_blur5 kmeans mandelbrot nbody_local
rays reduce saxpy scan sgemm_naive sgemm_tiled sha256 sobel spmv_csr stencil7 transpose_local""".split()
CLANG = """clang-22 -target spirv64-unknown-unknown -x cl -O1 -Xclang -fdeclare-opencl-builtins -Xclang -finclude-default-header
-c -o -""".split()


def build(context, source):
    """Seconds of the clock and of the processor."""
    program = pyopencl.Program(context, source)._get_prg()
    clock, processor = time.perf_counter(), time.process_time()
    program.build(b"", context.devices)
    return time.perf_counter() - clock, time.process_time() - processor


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--runs", type=int, default=7)
    parser.add_argument("kernels", nargs="*", default=USUAL)
    options = parser.parse_args()
    device = pyopencl.get_platforms()[0].get_devices()[0]
    context = pyopencl.Context([device])
    ratios = [], []
    print(f"{device.name:18}  clock: source, SPIR-V, ratio   processor: source, SPIR-V, ratio")
    for name in options.kernels:
        path = KERNELS / f"{name}.cl"
        sources = path.read_text(), subprocess.run([*CLANG, path], check=True, capture_output=True).stdout
        runs = [[build(context, source) for source in sources] for _ in range(options.runs + 1)][1:]
        line = f"{name:18}"
        for kind, of_kind in enumerate(ratios):
            source, module = (1e3 * statistics.median(run[i][kind] for run in runs) for i in range(2))
            of_kind.append(math.log(module / source))
            line += f" {source:12.2f} {module:8.2f} {module / source:6.2f}"
        print(line)
    means = [math.exp(statistics.mean(of_kind)) for of_kind in ratios]
    print(f"geometric mean of {len(options.kernels)}: {means[0]:.2f} by the clock, {means[1]:.2f} of the processor")


main()

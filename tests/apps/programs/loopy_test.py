# SPDX-License-Identifier: MIT
"""loopy: loops transformed to OpenCL kernels, against numpy."""

import loopy as lp
import numpy as np
import pyopencl as cl
import pyopencl.array

lp.set_caching_enabled(False)
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(5)


def run(kernel, **arguments):
    _, (result,) = kernel(queue, **{name: cl.array.to_device(queue, value) for name, value in arguments.items()})
    return result.get()


a, b = (random.uniform(size=(192, 192)).astype(np.float32) for _ in range(2))
product = lp.make_kernel("{[i,j,k]: 0<=i,j,k<n}", "c[i,j] = sum(k, a[i,k]*b[k,j])", lang_version=(2018, 2))
product = lp.add_and_infer_dtypes(lp.fix_parameters(product, n=192), {"a": np.float32, "b": np.float32})
assert np.allclose(run(product, a=a, b=b), a @ b, rtol=1e-4)
tiled = lp.split_iname(product, "i", 16, outer_tag="g.0", inner_tag="l.1")
tiled = lp.split_iname(tiled, "j", 16, outer_tag="g.1", inner_tag="l.0")
tiled = lp.split_iname(tiled, "k", 16)
for name, sweep in (("a", ["k_inner", "i_inner"]), ("b", ["j_inner", "k_inner"])):
    tiled = lp.add_prefetch(tiled, name, sweep, fetch_outer_inames="i_outer,j_outer,k_outer", default_tag="l.auto")
assert np.allclose(run(tiled, a=a, b=b), a @ b, rtol=1e-4)
print("products right")

x = random.uniform(size=100000)
stencil = lp.make_kernel("{[i]: 0<=i<n-2}", "y[i] = x[i] - 2*x[i+1] + x[i+2]", lang_version=(2018, 2))
stencil = lp.split_iname(stencil, "i", 128, outer_tag="g.0", inner_tag="l.0")
stencil = lp.assume(stencil, "n>=3")
assert np.allclose(run(stencil, x=x), x[:-2] - 2 * x[1:-1] + x[2:], atol=1e-12)
print("stencil right")

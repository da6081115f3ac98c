# SPDX-License-Identifier: MIT
"""A test as an OpenCL project has it: a kernel against numpy."""

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void scale(global float *values, float factor) {
	values[get_global_id(0)] *= factor;
}
"""


def test_scale():
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    values = np.arange(1000, dtype=np.float32)
    memory = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    cl.Program(context, SOURCE).build().scale(queue, values.shape, None, memory, np.float32(3))
    result = np.empty_like(values)
    cl.enqueue_copy(queue, result, memory)
    assert (result == 3 * values).all()

# SPDX-License-Identifier: MIT
"""What a newcomer runs first: doubles a thousand numbers."""

import numpy as np
import pyopencl as cl
import pyopencl.array

platform = next(p for p in cl.get_platforms() if p.name == "Weft")
queue = cl.CommandQueue(cl.Context(platform.get_devices()))
a = cl.array.to_device(queue, np.arange(1000, dtype=np.float32))
assert (2 * a).get().tolist() == [2.0 * i for i in range(1000)]
print("right: PyOpenCL", cl.VERSION_TEXT, "on", queue.device.name)

# SPDX-License-Identifier: MIT
"""LightGBM: trees trained by OpenCL predict what trees trained by its own code for the CPU predict."""

import lightgbm
import numpy as np

random = np.random.default_rng(5)
data = random.normal(size=(20000, 20)).astype(np.float32)
# Columns of few values, as counts and categories have.
data[:, :6] = np.floor(data[:, :6] * 2)
target = (data[:, 0] + data[:, 7] * data[:, 8] + np.sin(3 * data[:, 9]) > 0).astype(np.float32)


def trained(device, bins):
    """Predictions of a model that the device has trained."""
    options = {"objective": "binary", "device_type": device, "gpu_use_dp": True, "max_bin": bins, "num_leaves": 31,
               "verbose": -1, "seed": 1, "deterministic": True, "force_col_wise": device == "cpu"}
    model = lightgbm.train(options, lightgbm.Dataset(data, target), num_boost_round=20)
    return model.predict(data)


# Each number of bins has a kernel of its own.
for bins in (15, 63, 255):
    by_opencl, by_cpu = trained("gpu", bins), trained("cpu", bins)
    assert np.abs(by_opencl - by_cpu).max() < 1e-4, bins
    right = ((by_opencl > 0.5) == target).mean()
    assert right > 0.85, right
    print(bins, "bins:", right, "right")

# SPDX-License-Identifier: MIT
"""pyFAI: a diffraction picture integrated by its OpenCL methods, against its Cython code."""

import numpy as np
from pyFAI.integrator.azimuthal import AzimuthalIntegrator

random = np.random.default_rng(5)
SHAPE = (500, 600)
integrator = AzimuthalIntegrator(dist=0.1, poni1=0.02, poni2=0.03, rot1=0.1, pixel1=1e-4, pixel2=1e-4, wavelength=1e-10)
y, x = np.mgrid[0:SHAPE[0], 0:SHAPE[1]]
image = (200 + 100 * np.cos(np.hypot(x - 300, y - 200) / 8) + random.poisson(20, SHAPE)).astype(np.float32)
mask = random.uniform(size=SHAPE) < 0.01

for split in ("no", "bbox", "full"):
    for algorithm in ("csr", "lut", "histogram"):
        if algorithm == "histogram" and split != "no":
            continue
        results = [integrator.integrate1d(image, 400, mask=mask, method=(split, algorithm, kind), unit="2th_deg",
                                          error_model="poisson", polarization_factor=0.95)
                   for kind in ("cython", "opencl")]
        assert results[1].method.implementation == "OpenCL", results[1].method
        for name in ("radial", "intensity", "sigma"):
            expected, got = (getattr(result, name) for result in results)
            assert np.abs(got - expected).max() <= 2e-4 * np.abs(expected).max(), (split, algorithm, name)
        print(split, algorithm, "right")

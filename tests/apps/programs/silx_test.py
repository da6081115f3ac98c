# SPDX-License-Identifier: MIT
"""silx: its OpenCL median filter, statistics, sinograms and key points, against scipy, numpy and itself."""

import numpy as np
from scipy import ndimage
from silx.image import sift
from silx.opencl import medfilt, sinofilter, statistics
from silx.opencl.backprojection import Backprojection
from silx.opencl.projection import Projection

random = np.random.default_rng(5)
image = ndimage.gaussian_filter(random.uniform(0, 255, (200, 300)), 2).astype(np.float32)

for size in (3, 5, 9):
    got = medfilt.medfilt2d(image, size)
    assert (got == ndimage.median_filter(image, size, mode="nearest")).all(), size
print("median filter right")

got = statistics.Statistics(template=image).process(image)
for name, expected in (("mean", image.mean(dtype=float)), ("std", image.std(dtype=float, ddof=1)),
                       ("min", image.min()), ("max", image.max())):
    assert abs(getattr(got, name) - expected) < 1e-4 * abs(expected), name
print("statistics right")

# A disc, projected, filtered and projected back, is the disc again.
y, x = np.mgrid[-64:64, -64:64]
disc = (np.hypot(x, y) < 30).astype(np.float32)
angles = np.linspace(0, np.pi, 180, endpoint=False).astype(np.float32)
sinogram = Projection(disc.shape, angles=angles).projection(disc)
assert abs(sinogram.sum(axis=1) - disc.sum()).max() < 0.02 * disc.sum()
again = Backprojection(sinogram.shape, angles=angles).filtered_backprojection(sinogram)
assert abs(again[34:94, 34:94] - disc[34:94, 34:94]).mean() < 0.06
print("projections right")

# A picture that is moved by whole pixels is found moved.
plan = sift.SiftPlan(template=image)
first, second = plan.keypoints(image), plan.keypoints(np.roll(image, (7, 11), (0, 1)))
matches = sift.MatchPlan()(first, second)
assert len(matches) > 20, len(matches)
shift = np.median(matches[:, 1].x - matches[:, 0].x), np.median(matches[:, 1].y - matches[:, 0].y)
assert abs(shift[0] - 11) < 0.2 and abs(shift[1] - 7) < 0.2, shift
print(len(matches), "key points right")

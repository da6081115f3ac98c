# SPDX-License-Identifier: MIT
"""OpenCV on UMat, on the device named by the first argument, compared with OpenCV without OpenCL.

A tolerance is the largest difference of an element, relative to the largest element of floating-point results. Integers
may differ by one where one of the two calculates in float and the other in fixed point, as in OpenCV's own tests."""

import sys

import cv2
import numpy as np

random = np.random.default_rng(5)
HEIGHT, WIDTH = 480, 640
AFFINE = np.float32([[0.9, 0.2, -20], [-0.15, 1.05, 30]])
PROJECTION = np.float32([[0.9, 0.2, -20], [-0.15, 1.05, 30], [0.0002, -0.0001, 1]])
# Of uint8 and of float results.
EXACT, ONE, TWO = (0, 1e-6), (1, 2e-5), (2, 1e-5)


def picture(height, width, channels, kind):
    """Waves with noise: 0 to 255, or to 1."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [128 + 90 * np.sin(x / (9 + c)) * np.cos(y / (13 - c)) + random.normal(0, 8, (height, width))
              for c in range(channels)]
    result = np.clip(np.stack(planes, -1), 0, 255)
    result = result.astype(np.uint8) if kind == np.uint8 else (result / 255).astype(np.float32)
    return result if channels > 1 else result[..., 0]


def without_opencl(function, *images):
    cv2.ocl.setUseOpenCL(False)
    result = function(*images)
    cv2.ocl.setUseOpenCL(True)
    return result


def compare(name, got, expected, tolerance, odd=0.0):
    """`odd`: which part of the elements may differ by more."""
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    assert got.shape == expected.shape, name
    difference = np.abs(got - expected)
    part = (difference > tolerance).mean()
    assert part <= odd, f"{name}: off by {difference.max()}, {100 * part}% by more than {tolerance}"
    print(f"right: {name} (off by {difference.max():.3g})", flush=True)


def check(name, function, image, tolerance, odd=0.0):
    expected = without_opencl(function, image)
    got = function(cv2.UMat(image)).get()
    limit = tolerance[0] if expected.dtype == np.uint8 else tolerance[1] * np.abs(expected).max()
    compare(f"{name} of {image.dtype} x {1 if image.ndim == 2 else image.shape[2]}", got, expected, limit, odd)


def check_all_channels():
    resize, warp = cv2.resize, cv2.warpAffine
    size = (WIDTH, HEIGHT)
    rows = (
        ("blur", lambda i: cv2.blur(i, (5, 5)), ONE),
        ("GaussianBlur", lambda i: cv2.GaussianBlur(i, (7, 7), 1.5), ONE),
        ("resize, nearest", lambda i: resize(i, (401, 300), interpolation=cv2.INTER_NEAREST), EXACT),
        ("resize, linear", lambda i: resize(i, (401, 300), interpolation=cv2.INTER_LINEAR), ONE),
        ("resize, larger", lambda i: resize(i, (1000, 800), interpolation=cv2.INTER_LINEAR), ONE),
        ("resize, area", lambda i: resize(i, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), ONE),
        ("warpAffine, nearest", lambda i: warp(i, AFFINE, size, flags=cv2.INTER_NEAREST), EXACT),
        ("warpAffine, linear", lambda i: warp(i, AFFINE, size, flags=cv2.INTER_LINEAR), TWO),
        ("warpAffine, cubic", lambda i: warp(i, AFFINE, size, flags=cv2.INTER_CUBIC), TWO),
        ("Sobel", lambda i: cv2.Sobel(i, cv2.CV_32F, 1, 0), ONE),
        ("Laplacian", lambda i: cv2.Laplacian(i, cv2.CV_32F, ksize=3), ONE),
        ("erode", lambda i: cv2.erode(i, np.ones((3, 3), np.uint8)), EXACT),
        ("pyrDown", cv2.pyrDown, ONE),
        ("pyrUp", cv2.pyrUp, ONE),
        ("addWeighted", lambda i: cv2.addWeighted(i, 0.3, i, 0.4, 3), ONE),
    )
    for kind in (np.uint8, np.float32):
        for channels in (1, 3, 4):
            image = picture(HEIGHT, WIDTH, channels, kind)
            for name, function, tolerance in rows:
                check(name, function, image, tolerance)


def check_one_channel():
    image = picture(HEIGHT, WIDTH, 1, np.uint8)
    # A pixel at a threshold of Canny's changes a whole edge.
    check("Canny", lambda i: cv2.Canny(i, 50, 150), image, EXACT, odd=0.001)
    check("threshold", lambda i: cv2.threshold(i, 100, 255, cv2.THRESH_BINARY)[1], image, EXACT)
    check("equalizeHist", cv2.equalizeHist, image, EXACT)
    check("medianBlur", lambda i: cv2.medianBlur(i, 5), image, EXACT)
    check("cornerHarris", lambda i: cv2.cornerHarris(i, 3, 3, 0.04), image, ONE)
    check("integral", cv2.integral, image, EXACT)


def check_colours():
    for kind in (np.uint8, np.float32):
        image = picture(HEIGHT, WIDTH, 3, kind)
        for name in ("GRAY", "HSV", "YUV", "YCrCb", "RGBA"):
            code = getattr(cv2, f"COLOR_BGR2{name}")
            check(f"cvtColor to {name}", lambda i, code=code: cv2.cvtColor(i, code), image, EXACT)


def check_matching():
    for kind in (np.uint8, np.float32):
        image = picture(HEIGHT, WIDTH, 1, kind)
        template = np.ascontiguousarray(image[100:124, 200:232])
        for method in ("SQDIFF", "SQDIFF_NORMED", "CCORR", "CCORR_NORMED", "CCOEFF", "CCOEFF_NORMED"):
            code = getattr(cv2, f"TM_{method}")
            expected = without_opencl(cv2.matchTemplate, image, template, code)
            got = cv2.matchTemplate(cv2.UMat(image), cv2.UMat(template), code).get()
            compare(f"matchTemplate {method} of {image.dtype}", got, expected, 0.01 * np.abs(expected).max())
            best = np.argmin if "SQDIFF" in method else np.argmax
            assert best(got) == best(expected), method


def check_optical_flow():
    """Its kernel reads images."""
    before = picture(HEIGHT, WIDTH, 1, np.uint8)
    after = np.roll(before, 3, 1)
    points = np.float32([[x, y] for x in range(50, 600, 60) for y in range(50, 450, 60)]).reshape(-1, 1, 2)
    expected, found, _ = without_opencl(cv2.calcOpticalFlowPyrLK, before, after, points, None)
    got, got_found, _ = cv2.calcOpticalFlowPyrLK(cv2.UMat(before), cv2.UMat(after), cv2.UMat(points), None)
    assert (got_found.get() == found).all()
    compare("calcOpticalFlowPyrLK", got.get(), expected, 0.02)


def main():
    cv2.ocl.setUseOpenCL(True)
    assert cv2.ocl.Device.getDefault().name() == sys.argv[1], cv2.ocl.Device.getDefault().name()
    check_all_channels()
    check_one_channel()
    check_colours()
    check_matching()
    check_optical_flow()
    print("passed: OpenCV agrees with itself on", sys.argv[1])


main()

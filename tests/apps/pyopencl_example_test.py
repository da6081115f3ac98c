# SPDX-License-Identifier: MIT
"""What PyOpenCL's example image_filters_using_image2d_t.py has made of noisyImage.jpg, both in the current folder."""

import numpy as np
from PIL import Image


def load(name):
    return np.array(Image.open(name).convert("RGBA")).astype(np.int64)


def check(name, got, expected, tolerance):
    worst = np.abs(got - expected).max()
    assert worst <= tolerance, f"{name}: off by {worst}"
    print("right:", name)


def grey(image):
    red, green, blue = (image[..., i] for i in range(3))
    value = red * 299 // 1000 + green * 578 // 1000 + blue * 114 // 1000
    return np.stack([value, value, value, np.full_like(value, 255)], -1)


def blurred(image):
    """As the example does it: each product is cut off, and of the 7 x 7 weights 6 x 6 are used."""
    at = np.exp(-(np.arange(-3, 4) / np.sqrt(2)) ** 2)
    weights = (np.outer(at, at) / np.outer(at, at).sum() * 255).astype(np.uint8) / 255
    height, width = image.shape[:2]
    padded = np.pad(image, ((3, 3), (3, 3), (0, 0)), "edge")
    result = np.zeros_like(image)
    for y in range(6):
        for x in range(6):
            colours = padded[y:y + height, x:x + width, :3]
            result[..., :3] += (colours * weights[y, x] + 1e-6).astype(np.int64)
    result[..., 3] = 255
    return np.minimum(result, 255)


def main():
    image = load("noisyImage.jpg")
    check("grey", load("noisyImage_gray_scale.jpg"), grey(image), 0)
    check("blur", load("noisyImage_gauss.jpg"), blurred(image), 3)


main()

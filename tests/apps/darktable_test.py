# SPDX-License-Identifier: MIT
"""For darktable.sh.

make FOLDER: a picture, in.tiff, and histories of development, NAME.xmp; prints their names.
compare A B: fails unless two pictures agree as darktable's integration tests ask for: no pixel differs by more than 2.3,
and the mean by no more than a third of it (CIEDE2000)."""

import struct
import sys

import cv2
import numpy as np

MOST = 2.3

# Module, version and form of its parameters (the struct of src/iop/NAME.c), their values.
EXPOSURE = ("exposure", 6, "<iffffi", (0, 0.0, 0.3, 50.0, -4.0, 0))
DENOISE = ("nlmeans", 2, "<ffff", (2, 50, 0.5, 1.0))
LAPLACIAN = ("bilat", 3, "<Iffff", (1, 0.5, 0.5, 0.5, 0.5))
BILATERAL = ("bilat", 3, "<Iffff", (0, 50, 50, 0.5, 0.2))
SHARPEN = ("sharpen", 1, "<fff", (2, 0.5, 0.5))
SOFTEN = ("soften", 1, "<ffff", (20, 100, 0.33, 30))
VELVIA = ("velvia", 2, "<ff", (25, 1))
VIBRANCE = ("vibrance", 2, "<f", (25,))
COLOUR_CONTRAST = ("colorcontrast", 2, "<ffffi", (1.2, 0, 1.1, 0, 1))
LOWPASS = ("lowpass", 4, "<iffffii", (0, 10, 1, 0, 1, 0, 1))
FILL_LIGHT = ("relight", 1, "<fff", (0.33, 0, 4))
GRADUATED = ("graduatednd", 1, "<ffffff", (1, 0, 0, 50, 0, 0))
MONOCHROME = ("monochrome", 2, "<ffff", (0, 0, 2, 0))
ROTATE = ("clipping", 5, "<15f6i",
          (3.0, 0, 0, 1, 1, 0, 0, 0.2, 0.2, 0.8, 0.2, 0.8, 0.8, 0.2, 0.8, 0, 0, 0, 1, -1, -1))

HISTORIES = {
    "light": (EXPOSURE, FILL_LIGHT, GRADUATED),
    "detail": (DENOISE, LAPLACIAN, SHARPEN),
    "colour": (VELVIA, VIBRANCE, COLOUR_CONTRAST, BILATERAL),
    "blur": (LOWPASS, SOFTEN),
    "rotate": (ROTATE, MONOCHROME),
}

XMP = """<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="4"
 darktable:history_end="{count}" darktable:auto_presets_applied="1" darktable:iop_order_version="2">
<darktable:history><rdf:Seq>{items}</rdf:Seq></darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>
"""
ITEM = """<rdf:li darktable:num="{number}" darktable:operation="{name}" darktable:enabled="1"
 darktable:modversion="{version}" darktable:params="{values}" darktable:multi_name="" darktable:multi_priority="0"/>"""


def history(modules):
    items = "".join(ITEM.format(number=i, name=name, version=version, values=struct.pack(form, *values).hex())
                    for i, (name, version, form, values) in enumerate(modules))
    return XMP.format(count=len(modules), items=items)


def make(folder):
    height, width = 480, 640
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    image = np.stack([x / width, y / height, 0.5 + 0.4 * np.sin(x / 17) * np.cos(y / 23)], -1)
    image = 0.1 + 0.7 * image + np.random.default_rng(1).normal(0, 0.01, image.shape)
    cv2.imwrite(f"{folder}/in.tiff", (np.clip(image, 0, 1) * 65535).astype(np.uint16))
    for name, modules in HISTORIES.items():
        with open(f"{folder}/{name}.xmp", "w", encoding="utf-8") as file:
            file.write(history(modules))
        print(name)


def hue(a, b):
    return np.degrees(np.arctan2(b, a)) % 360


def weights(lightness, chroma, angle):
    """S_L, S_C, S_H and R_T of CIEDE2000, of the mean of two colours."""
    t = (1 - 0.17 * np.cos(np.radians(angle - 30)) + 0.24 * np.cos(np.radians(2 * angle))
         + 0.32 * np.cos(np.radians(3 * angle + 6)) - 0.2 * np.cos(np.radians(4 * angle - 63)))
    squared = (lightness - 50) ** 2
    s_l = 1 + 0.015 * squared / np.sqrt(20 + squared)
    turn = 30 * np.exp(-(((angle - 275) / 25) ** 2))
    r_t = -2 * np.sqrt(chroma ** 7 / (chroma ** 7 + 25.0 ** 7)) * np.sin(np.radians(2 * turn))
    return s_l, 1 + 0.045 * chroma, 1 + 0.015 * chroma * t, r_t


def delta_e(one, other):
    """CIEDE2000 of two pictures in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = (np.moveaxis(lab.astype(np.float64), -1, 0) for lab in (one, other))
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    grey = 1.5 - 0.5 * np.sqrt(mean_chroma ** 7 / (mean_chroma ** 7 + 25.0 ** 7))
    a1, a2 = a1 * grey, a2 * grey
    c1, c2, h1, h2 = np.hypot(a1, b1), np.hypot(a2, b2), hue(a1, b1), hue(a2, b2)
    turn = (h2 - h1 + 180) % 360 - 180
    turn = np.where(c1 * c2 == 0, 0, turn)
    s_l, s_c, s_h, r_t = weights((l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360)
    l, c = (l2 - l1) / s_l, (c2 - c1) / s_c
    h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / s_h
    return np.sqrt(np.maximum(l * l + c * c + h * h + r_t * c * h, 0))


def compare(one, other):
    pictures = [cv2.imread(path).astype(np.float32) / 255 for path in (one, other)]
    assert pictures[0].shape == pictures[1].shape and pictures[0].std() > 0.02
    difference = delta_e(*(cv2.cvtColor(picture, cv2.COLOR_BGR2Lab) for picture in pictures))
    print(f"delta E at most {difference.max():.2f}, mean {difference.mean():.4f}")
    assert difference.max() <= MOST and difference.mean() <= MOST / 3


{"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])

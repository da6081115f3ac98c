# SPDX-License-Identifier: MIT
"""The arguments of a shape's kernel: random numbers, the same in every process."""
import dataclasses
import functools

import numpy as np

SIZES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8, "half": 2,
         "float": 4, "double": 8}
NUMPY = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
         "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32, "double": np.float64}
MOST_BYTES = 8 << 20  # of the largest array, roughly
MOST_ITEMS = 1 << 20
LEAST_ITEMS = 1 << 16
RANDOM_COUNT = 1 << 20  # longer arrays repeat


@dataclasses.dataclass
class Argument:
    kind: str           # input, output, or scalar
    element: str = "int"
    count: int = 0      # elements of an array
    value: object = None  # the input's array, or the number
    hole: bool = False  # vectors of three have a fourth element that has no value


def most(element):
    """The inputs of an integer type lie within this, on both sides of 0 if it is signed."""
    return {"char": 100, "uchar": 200, "short": 16384, "ushort": 32768, "int": 65536, "uint": 65536}.get(element, 1 << 40)


def limit(element):
    """The largest number of an integer type."""
    bits = 8 * SIZES[element]
    return (1 << (bits if element.startswith("u") else bits - 1)) - 1


def _split(type_name):
    """Element, and elements that a vector takes in memory."""
    element = type_name.rstrip("0123456789")
    width = int(type_name[len(element):] or 1)
    return element, 4 if width == 3 else width


def _stride(shape):
    return {"stride2": 2, "stride3": 3, "fields3": 3, "fields4": 4}.get(shape.access, 1)


def items_of(shape, output, scale):
    """A power of two: a million work-items where the arrays are not too large then."""
    size = max(SIZES[element] * width for element, width in (_split(shape.type), _split(output)))
    items = MOST_ITEMS
    while items * size > MOST_BYTES:
        items //= 2
    return max(items // scale, LEAST_ITEMS)


@functools.lru_cache(maxsize=None)
def _random(element):
    source = np.random.default_rng(11)
    if element in ("half", "float", "double"):
        return source.uniform(0.25, 4.0, RANDOM_COUNT).astype(NUMPY[element])
    low = 0 if element.startswith("u") else -most(element)
    return source.integers(low, most(element), RANDOM_COUNT).astype(NUMPY[element])


@functools.lru_cache(maxsize=4)
def _numbers(element, count):
    return np.resize(_random(element), count)


@functools.lru_cache(maxsize=4)
def _places(access, count):
    """Indices below count: a permutation to store to, neighbours, or any."""
    source = np.random.default_rng(12)
    if access == "scattered":
        return source.permutation(count).astype(np.int32)
    if access == "nearby":
        return np.clip(np.arange(count) + source.integers(-8, 9, count), 0, count - 1).astype(np.int32)
    return source.integers(0, count, count).astype(np.int32)


@functools.lru_cache(maxsize=2)
def _small(count):
    return np.random.default_rng(13).integers(0, 16, count).astype(np.uint8)


def arguments_of(shape, work, size, most_reads):
    """a, b, t, c, n, w, h, d, p, m of source.kernel_of, for data of this width, height and depth."""
    width, height, depth = size
    count = width * height * depth
    pitch = 1000 if shape.dimensions == 1 else width
    element, lanes = _split(shape.type)
    output, output_lanes = _split(work.output)
    length = (count + most_reads * max(pitch, width if height > 1 else 0) + 64) * _stride(shape) * lanes
    numbers = (count, width, height, depth, pitch, 8)
    return [Argument("input", element, length, _numbers(element, length)),
            Argument("output", output, (count + 1024) * output_lanes, hole=work.output.endswith("3")),
            Argument("input", "int", count, _places(shape.access if shape.access in ("scattered", "nearby") else "any", count)),
            Argument("input", "uchar", count, _small(count)),
            *(Argument("scalar", value=number) for number in numbers)]

# SPDX-License-Identifier: MIT
"""The dimensions of generated kernels, which values go together, and a seeded sample of them.

A kernel is named by its values, `type:access:flow:work:range:local:index`: the name alone makes the same kernel again.
"""
import dataclasses
import random

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
FLOATS = ("half", "float", "double")
ELEMENTS = INTEGERS + FLOATS
VECTORS = ("char4", "char16", "uchar2", "uchar3", "uchar4", "uchar8", "uchar16", "short2", "short4", "short8", "ushort4",
           "int2", "int3", "int4", "int8", "int16", "uint2", "uint4", "long2", "long4", "ulong2", "half2", "half4",
           "half8", "float2", "float3", "float4", "float8", "float16", "double2", "double3", "double4")

# What a work-item reads, by its place and the number of the read; `scattered` and `swapped` change the stores, too.
ACCESSES = ("unit", "shifted", "stride2", "stride3", "fields3", "fields4", "clamped", "clamped2", "wrapped", "masked",
            "mirrored", "reversed", "transposed", "swapped", "gathered", "nearby", "scattered", "rows", "columns",
            "uniform", "window", "vload")

# What surrounds the reads.
FLOWS = ("straight", "guarded", "early", "branch", "loop", "fixed", "nested", "while", "grid", "memory")

CONVERSIONS = tuple(f"to_{element}{suffix}" for element in INTEGERS
                    for suffix in ("", "_sat", "_rte", "_sat_rtp", "_sat_rtz")) + ("to_half", "to_float", "to_double",
                                                                                  "to_float_rtn")
CASTS = tuple(f"cast_{element}{suffix}" for element in INTEGERS for suffix in ("", "_sat")) + tuple(
    f"cast_{element}" for element in FLOATS)  # of what was read, without arithmetic of floats
GROUP_WORKS = ("tile", "reduce", "scan", "stages", "gate", "turn", "histogram")  # local memory and barriers
INTEGER_WORKS = ("arith", "bits", "divide", "magnitude", "add", "compare", "minmax", "mixed", "lookup", "sort",
                 "atomic", "atomic_one", "atomic_read")
FLOAT_WORKS = ("arith", "divide", "sqrt", "exp", "log", "sin", "pow", "add", "compare", "minmax", "mixed", "lookup", "sort")
WORKS = tuple(dict.fromkeys(INTEGER_WORKS + FLOAT_WORKS + GROUP_WORKS + CONVERSIONS + CASTS))

LOCALS = {
    "1d": ("open", "32", "64", "128", "256", "1024"),
    "2d": ("open", "16x16", "8x8", "256x1", "64x4", "1x64", "32x1"),
    "3d": ("open", "8x8x4", "64x1x1", "4x4x4"),
    "1d_odd": ("open",),  # sizes that nothing divides
    "2d_odd": ("open",),
}
INDICES = ("int", "uint", "size_t")


@dataclasses.dataclass(frozen=True)
class Shape:
    type: str
    access: str
    flow: str
    work: str
    range: str
    local: str
    index: str

    @property
    def name(self):
        return ":".join(dataclasses.astuple(self))

    @property
    def element(self):
        return self.type.rstrip("0123456789")

    @property
    def width(self):
        return int(self.type[len(self.element):] or 1)

    @property
    def is_float(self):
        return self.element in FLOATS

    @property
    def dimensions(self):
        return int(self.range[0])

    @property
    def local_size(self):
        return None if self.local == "open" else tuple(int(size) for size in self.local.split("x"))

    @property
    def kind_of_work(self):
        """Conversions are many: they are grouped by what they do."""
        if self.work not in CONVERSIONS + CASTS:
            return self.work
        return ("convert" if self.work in CONVERSIONS else "cast") + ("_sat" if "_sat" in self.work else "") + ("_round" if "_rt" in self.work else "")


DIMENSIONS = tuple(field.name for field in dataclasses.fields(Shape))


def shape_of(name):
    """The shape of a name; raises ValueError for a name that names none."""
    values = name.split(":")
    if len(values) != len(DIMENSIONS):
        raise ValueError(f"{name}: not {len(DIMENSIONS)} values")
    shape = Shape(*values)
    if not allowed(shape):
        raise ValueError(f"{name}: these do not go together")
    return shape


def _access_allowed(shape):
    if shape.access == "clamped2":
        return shape.dimensions == 2
    if shape.access == "window":
        return shape.dimensions == 2 and shape.flow in ("straight", "guarded", "early", "nested", "fixed")
    if shape.access == "masked":
        return not shape.range.endswith("odd") and shape.flow not in ("guarded", "early")
    if shape.access in ("transposed", "swapped"):
        return not shape.range.endswith("odd")
    if shape.access == "vload":
        return shape.width in (2, 4, 8, 16)
    if shape.access.startswith("fields"):
        return shape.width < 8
    return True


def _flow_allowed(shape):
    if shape.flow in ("guarded", "early"):  # the range is larger than the data
        return not shape.range.endswith("odd")
    if shape.flow == "grid":
        return shape.range == "1d" and shape.access not in ("scattered", "swapped")
    if shape.flow == "memory":  # the sum stays in global memory
        return shape.access not in ("scattered", "fields3", "fields4") and shape.work in ("add", "arith", "minmax")
    return True


def _group_allowed(shape):
    """Local memory and barriers: a given local size, and no branch around a barrier but the gate's own."""
    if shape.flow not in ("straight", "loop") or shape.access in ("scattered", "swapped", "clamped2", "window"):
        return False
    if shape.work == "turn":
        return shape.range == "2d" and shape.local in ("16x16", "8x8") and shape.width <= 4
    if shape.work == "histogram" and (shape.element not in INTEGERS or shape.width > 1):
        return False
    return shape.range == "1d" and shape.local != "open" and shape.width <= 4


def _work_allowed(shape):
    if shape.work in GROUP_WORKS:
        return _group_allowed(shape)
    if shape.work in CONVERSIONS:
        return shape.flow != "memory" and (shape.element != "half" or "long" not in shape.work)
    if shape.work in CASTS:
        return shape.flow != "memory" and shape.element not in shape.work.split("_")
    if shape.work.startswith("atomic"):
        return (shape.width == 1 and shape.element in INTEGERS and shape.access not in ("scattered", "swapped") and
                shape.flow not in ("memory", "grid"))
    if shape.work == "magnitude":
        return shape.element in ("char", "uchar", "short", "ushort")
    if shape.work in ("sort", "lookup"):
        return shape.flow in ("straight", "guarded", "early") and shape.width <= 4 and shape.access != "window"
    return shape.work in (FLOAT_WORKS if shape.is_float else INTEGER_WORKS)


def allowed(shape):
    """Whether the values of all dimensions are known and go together."""
    return (shape.type in ELEMENTS + VECTORS and shape.access in ACCESSES and shape.flow in FLOWS and
            shape.work in WORKS and shape.local in LOCALS.get(shape.range, ()) and shape.index in INDICES and
            _access_allowed(shape) and _flow_allowed(shape) and _work_allowed(shape))


def _random_work(chance):
    """Conversions and works on groups are many values of one kind: each kind gets its share."""
    kind = chance.random()
    if kind < 0.17:
        return chance.choice(CONVERSIONS if kind < 0.12 else CASTS)
    if kind < 0.33:
        return chance.choice(GROUP_WORKS)
    return chance.choice(tuple(dict.fromkeys(INTEGER_WORKS + FLOAT_WORKS)))


def _random_shape(chance, work):
    """A shape with this work, or None: the other values may not go together."""
    range_name = chance.choice(("1d", "1d", "1d", "2d", "2d", "2d", "3d", "1d_odd", "2d_odd"))
    shape = Shape(chance.choice(ELEMENTS if chance.random() < 0.65 else VECTORS), chance.choice(ACCESSES),
                  chance.choice(FLOWS), work, range_name, chance.choice(LOCALS[range_name]), chance.choice(INDICES))
    return shape if allowed(shape) else None


def sample(seed, count):
    """So many different shapes, the same for the same seed; a larger count continues a smaller one."""
    chance = random.Random(seed)
    shapes = {}
    while len(shapes) < count:
        work, shape = _random_work(chance), None
        while not shape:
            shape = _random_shape(chance, work)
        shapes[shape.name] = shape
    return list(shapes.values())

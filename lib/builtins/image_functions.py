# SPDX-License-Identifier: MIT
"""The member with OpenCL C's functions of images (specification 6.15.15): each overload is one call of a function below
them (weft_internal.h)."""

from collections import namedtuple

# A type of images: its shape, its coordinates in the source, those that are used, the dimensions of a level that gradients
# count in, and whether it has mip levels.
Type = namedtuple("Type", "name shape components used dimensions mipmapped depth")

TYPES = (
    Type("image1d_t", "1D", 1, 1, 1, True, False),
    Type("image1d_buffer_t", "1D", 1, 1, 1, False, False),
    Type("image1d_array_t", "1D_ARRAY", 2, 2, 1, True, False),
    Type("image2d_t", "2D", 2, 2, 2, True, False),
    Type("image2d_array_t", "2D_ARRAY", 4, 3, 2, True, False),
    Type("image2d_depth_t", "2D", 2, 2, 2, True, True),
    Type("image2d_array_depth_t", "2D_ARRAY", 4, 3, 2, True, True),
    Type("image3d_t", "3D", 4, 3, 3, True, False),
)

QUALIFIERS = ("read_only", "write_only", "read_write")

# The suffix of a function, and its texels.
KINDS = {"f": "float", "i": "int", "ui": "uint", "h": "half"}


def _vector(element, n):
    return element if n == 1 else f"{element}{n}"


def _kinds(image):
    """Depth images have floats only."""
    return ("f",) if image.depth else KINDS


def _texel_type(image, kind):
    return "float" if image.depth else KINDS[kind] + "4"


def _number(kind):
    """What the functions below know of the texels: floats or integers."""
    return "float" if kind in "fh" else "int"


def _access(image, kind, has_level):
    integer = "" if kind in "fh" else " | WEFT_IMAGE_INTEGER"
    return f"WEFT_IMAGE_{image.shape}{integer}" + ("" if has_level else " | WEFT_IMAGE_BASE_LEVEL")


def _coordinates(image):
    """x, y and z, from the parameter c."""
    if image.components == 1:
        return "c, 0, 0"
    return ", ".join([f"c.{axis}" for axis in "xyz"[:image.used]] + ["0"] * (3 - image.used))


def _function(result, name, parameters, body):
    return f"WEFT {result} {name}({', '.join(parameters)})\n{{\n\t{body}\n}}"


def _result(image, kind, texel):
    if image.depth:
        return f"return {texel}.x;"
    return {"f": f"return {texel};", "i": f"return {texel};", "ui": f"return as_uint4({texel});",
            "h": f"return __builtin_convertvector({texel}, half4);"}[kind]


def _read(image, qualifier, kind, function, parameters, lod=None):
    sampler = "__weft_sampler_number(sampler)" if "sampler_t sampler" in parameters else "0"
    texel = (f"__weft_image_{function}_{_number(kind)}(__weft_image_address(image), {sampler}, "
             f"{_access(image, kind, lod is not None)}, {_coordinates(image)}, {lod or 0})")
    return _function(_texel_type(image, kind), "read_image" + kind, [f"{qualifier} {image.name} image"] + parameters,
                     _result(image, kind, texel))


def _samplerless(image, qualifier, kind):
    return _read(image, qualifier, kind, "read", [_vector("int", image.components) + " c"])


def _with_sampler(image, kind):
    """Without a level of detail, which is level 0 then."""
    lines = []
    for element, function in (("float", "sample"), ("int", "read")):
        lines.append(_read(image, "read_only", kind, function,
                           ["sampler_t sampler", _vector(element, image.components) + " c"]))
    return lines


def _with_level(image, kind):
    """With a level of detail, and with gradients, which give one."""
    first = ["sampler_t sampler", _vector("float", image.components) + " c"]
    gradient = _vector("float", 4 if image.dimensions == 3 else image.dimensions)
    gradients = [f"{gradient} dx", f"{gradient} dy"]
    level = f"LEVEL_{image.dimensions}D(image, dx, dy)"
    return [_read(image, "read_only", kind, "sample", first + ["float lod"], "lod"),
            _read(image, "read_only", kind, "sample", first + gradients, level)]


def _reads():
    lines = []
    for image in TYPES:
        for kind in _kinds(image):
            lines += [_samplerless(image, qualifier, kind) for qualifier in ("read_only", "read_write")]
            if not image.mipmapped:
                continue
            lines += _with_sampler(image, kind)
            if kind != "h":
                lines += _with_level(image, kind)
    return lines


def _written(image, kind):
    """The texel as the functions below take it."""
    if image.depth:
        return "(float4)(texel, 0, 0, 0)"
    return {"f": "texel", "i": "texel", "ui": "as_int4(texel)", "h": "__builtin_convertvector(texel, float4)"}[kind]


def _write(image, qualifier, kind, has_level):
    parameters = [f"{qualifier} {image.name} image", _vector("int", image.components) + " c"]
    parameters += ["int lod"] if has_level else []
    return _function("void", "write_image" + kind, parameters + [f"{_texel_type(image, kind)} texel"],
                     f"__weft_image_write_{_number(kind)}(__weft_image_address(image), {_access(image, kind, has_level)}, "
                     f"{_coordinates(image)}, {'lod' if has_level else '0'}, {_written(image, kind)});")


def _writes():
    lines = []
    for image in TYPES:
        for qualifier in ("write_only", "read_write"):
            for kind in _kinds(image):
                lines.append(_write(image, qualifier, kind, False))
                if image.mipmapped and qualifier == "write_only" and kind != "h":
                    lines.append(_write(image, qualifier, kind, True))
    return lines


def _query(image, qualifier, result, name, body):
    return _function(result, name, [f"{qualifier} {image.name} image"], f"return {body};")


def _queries():
    lines = []
    for image in TYPES:
        for qualifier in QUALIFIERS:
            rows = [("int", "get_image_width", "WIDTH(image)"),
                    ("int", "get_image_channel_data_type", "CHANNEL_TYPE(image)"),
                    ("int", "get_image_channel_order", "CHANNEL_ORDER(image)")]
            if image.dimensions > 1:
                rows.append(("int", "get_image_height", "HEIGHT(image)"))
            if image.dimensions == 2:
                rows.append(("int2", "get_image_dim", "(int2)(WIDTH(image), HEIGHT(image))"))
            if image.dimensions == 3:
                rows.append(("int", "get_image_depth", "DEPTH(image)"))
                rows.append(("int4", "get_image_dim", "(int4)(WIDTH(image), HEIGHT(image), DEPTH(image), 0)"))
            if image.shape.endswith("ARRAY"):
                rows.append(("size_t", "get_image_array_size", "LAYERS(image)"))
            if image.mipmapped:
                rows.append(("int", "get_image_num_mip_levels", "LEVELS(image)"))
            lines += [_query(image, qualifier, *row) for row in rows]
    return lines


def _member(functions):
    head = ["/* Made by generate.py: change image_functions.py or images.cl. */", '#include "prelude.h"',
            "#include <images.cl>"]
    return "\n".join(head + functions()) + "\n"


def members():
    return {"image_reads": lambda: _member(_reads), "image_writes": lambda: _member(_writes),
            "image_queries": lambda: _member(_queries)}

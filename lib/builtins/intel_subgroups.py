# SPDX-License-Identifier: MIT
"""Members of cl_intel_subgroups, cl_intel_subgroups_char, _short, _long and cl_intel_subgroup_local_block_io: shuffles, collectives
of small integers, and blocks in memory and in images."""

from irregular import text
from overloads import lanes, vector

_SIZES = (1, 2, 3, 4, 8, 16)
_SMALL = ("char", "uchar", "short", "ushort")

# The suffixes of a block's functions, its element, and in how many sizes it comes.
_BLOCKS = (("", "uint", (1, 2, 4, 8)), ("_ui", "uint", (1, 2, 4, 8)), ("_uc", "uchar", (1, 2, 4, 8, 16)),
           ("_us", "ushort", (1, 2, 4, 8, 16)), ("_ul", "ulong", (1, 2, 4, 8)))

# A shuffle's parameters beside its number, which lane it takes from, and by which helper.
_SHUFFLES = (("shuffle", ("a",), "take", "number"),
             ("shuffle_xor", ("a",), "take", "__weft_sub_lane() ^ number"),
             ("shuffle_down", ("current", "next"), "take_two", "__weft_sub_lane() + number"),
             ("shuffle_up", ("previous", "current"), "take_two", "__weft_sub_lane() + __weft_sub_size() - number"))


def _function(result, name, parameters, lines):
    body = "\n\t".join(lines)
    return f"WEFT_CONVERGENT {result} {name}({', '.join(parameters)})\n{{\n\t{body}\n}}"


def _vector_of(t, parts):
    return f"return ({t})({', '.join(parts)});"


def _shuffle(element, n):
    t = vector(element, n)
    for name, values, helper, lane in _SHUFFLES:
        selectors = [""] if n == 1 else ["." + lane for lane in lanes(n)]
        parts = [f"{helper}({', '.join(value + s for value in values)}, lane)" for s in selectors]
        yield _function(t, "intel_sub_group_" + name, [f"{t} {value}" for value in values] + ["uint number"],
                        [f"uint lane = {lane};", _vector_of(t, parts)])


def _moves():
    lines = []
    for element in _SMALL + ("int", "uint", "float", "long", "ulong", "half", "double"):
        for n in (1,) if element in ("long", "ulong", "half", "double") else _SIZES:
            lines += _shuffle(element, n)
    for element in _SMALL:
        for n in _SIZES:
            t = vector(element, n)
            parts = ["take(a, lane)"] if n == 1 else [f"take(a.{l}, lane)" for l in lanes(n)]
            lines.append(_function(t, "intel_sub_group_broadcast", [f"{t} a", "uint lane"], [_vector_of(t, parts)]))
    return text(lines, "sub_groups.cl")


def _arithmetic():
    lines = []
    for element in _SMALL:
        for operation in ("add", "min", "max"):
            for name, internal, operand in (("reduce", "reduce", "a, 0"), ("scan_inclusive", "inclusive", "a"),
                                            ("scan_exclusive", "exclusive", "a")):
                lines.append(_function(element, f"intel_sub_group_{name}_{operation}", [f"{element} a"],
                                       [f"return __weft_sub_{internal}_{operation}_{element}({operand});"]))
    return text(lines, "sub_groups.cl")


def _each_block():
    """Name of the function that reads and of the one that writes, element, size, and the components of a value."""
    for suffix, element, sizes in _BLOCKS:
        for n in sizes:
            size = "" if n == 1 else n
            yield (f"intel_sub_group_block_read{suffix}{size}", f"intel_sub_group_block_write{suffix}{size}", element, n,
                   ["a"] if n == 1 else ["a." + lane for lane in lanes(n)])


def _memory_blocks():
    lines = []
    for reads, writes, element, n, parts in _each_block():
        t = vector(element, n)
        for space in ("global", "local"):
            def first(name):
                return (f"__{space} {element} *{name} = (__{space} {element} *)__weft_sub_first_{space}(p) + "
                        "(ulong)__weft_sub_lane();")
            places = [f"from[{i} * (ulong)__weft_sub_size()]" for i in range(n)]
            lines.append(_function(t, reads, [f"const __{space} {element} *p"],
                                   ["const " + first("from"), _vector_of(t, places)]))
            lines.append(_function("void", writes, [f"__{space} {element} *p", f"{t} a"],
                                   [first("to")] + [f"to[{i} * (ulong)__weft_sub_size()] = {part};"
                                                    for i, part in enumerate(parts)]))
    return text(lines, "sub_groups.cl")


def _image_blocks():
    lines = []
    for reads, writes, element, n, parts in _each_block():
        t = vector(element, n)
        at = f"struct image_block block = block_at(__weft_image_address(image), place, sizeof({element}));"
        rows = [f"read_row_{element}(block, {i})" for i in range(n)]
        for qualifier in ("read_only", "read_write"):
            lines.append(_function(t, reads, [f"{qualifier} image2d_t image", "int2 place"], [at, _vector_of(t, rows)]))
        for qualifier in ("write_only", "read_write"):
            lines.append(_function("void", writes, [f"{qualifier} image2d_t image", "int2 place", f"{t} a"],
                                   [at] + [f"write_row(block, {i}, {part});" for i, part in enumerate(parts)]))
    return text(lines, "image_blocks.cl")


def members():
    return {"intel_sub_group_moves": _moves, "intel_sub_group_arithmetic": _arithmetic,
            "intel_sub_group_blocks": _memory_blocks, "intel_sub_group_image_blocks": _image_blocks}

# SPDX-License-Identifier: MIT
"""The OpenCL C of a shape, and the arguments that its kernel takes.

Results are the same on every driver: integers stay in range, products of floats are by powers of two or small enough to
be exact, so that a contraction changes nothing; functions of floats, and what is made of their results, have a tolerance.
"""
import dataclasses

import data
import kinds
import works

MOST_READS = 16  # the number of a read is less


@dataclasses.dataclass
class Kernel:
    text: str
    arguments: list  # of data.Argument, in order
    global_size: tuple
    local_size: tuple
    tolerance: float  # relative to the largest value, 0: exact
    steps: int        # by which integers may differ


def _extent(shape, items):
    """Width, height and depth of the data: the range without what a guard keeps out."""
    bits = items.bit_length() - 1
    if shape.range == "1d":
        size = (items, 1, 1)
    elif shape.range == "2d":
        size = (1 << (bits + 1) // 2, 1 << bits // 2, 1)
    elif shape.range == "3d":
        size = (1 << (bits + 2) // 3, 1 << (bits + 1) // 3, 1 << bits // 3)
    elif shape.range == "1d_odd":
        size = (items - 45, 1, 1)
    else:
        size = ((1 << (bits + 1) // 2) - 3, (1 << bits // 2) + 3, 1)
    if shape.flow not in ("guarded", "early"):
        return size, size
    inner = (size[0] - 5, size[1] - 3 if size[1] > 1 else 1, size[2])
    return size, inner


def _place(shape):
    """Declarations of x, y, z and i, the item's place and its number in the data."""
    index = shape.index
    names = "xyz"[:shape.dimensions]
    lines = [f"{index} {name} = ({index})get_global_id({number});" for number, name in enumerate(names)]
    if shape.dimensions == 1:
        lines[0] = lines[0].replace(f"{index} x", f"{index} i")
    else:
        flat = "y * w + x" if shape.dimensions == 2 else "(z * h + y) * w + x"
        lines.append(f"{index} i = {flat};")
    return lines


def _clamp(shape, place, size):
    if shape.index == "int":
        return f"clamp({place} - 1, 0, {size} - 1)"
    return f"min({place}, ({shape.index}){size} - 1)"


def _element(shape, k):
    """The index of read number k, a text, in the array a."""
    flat = shape.dimensions == 1
    row = "" if flat else "y * w + " if shape.dimensions == 2 else "(z * h + y) * w + "
    x, w = ("i", "n") if flat else ("x", "w")
    table = {
        "unit": f"i + {k} * p",
        "shifted": f"i + {k} + 1",
        "stride2": f"2 * i + {k}",
        "stride3": f"3 * i + {k}",
        "fields3": f"i + {k} * p",
        "fields4": f"i + {k} * p",
        "clamped": row + _clamp(shape, f"{x} + {k}", w),
        "clamped2": f"{_clamp(shape, f'y + {k}', 'h')} * w + {_clamp(shape, f'x + {k}', 'w')}",
        "wrapped": f"{row}({x} + {k} * 5) % {w}",
        "masked": f"(i + {k} * 5) & (n - 1)",
        "mirrored": f"{row}mirror((int)({x} + {k}) - 1, {w})",
        "reversed": f"n - 1 - i + {k}",
        "transposed": f"{_swapped(shape)} + {k}",
        "swapped": f"{_swapped(shape)} + {k}",
        "gathered": f"t[i] + {k}",
        "nearby": f"t[i] + {k}",
        "scattered": f"i + {k} * p",
        "rows": f"{'i / 64' if flat else 'y' if shape.dimensions == 2 else 'z * h + y'} + {k}",
        "columns": f"{'i % 64' if flat else 'x'} + {k}",
        "uniform": k,
    }
    return table[shape.access]


def _swapped(shape):
    """The number of an item where the last dimension is the contiguous one; no two items have the same one, whatever n is."""
    if shape.dimensions == 1:
        return "(i % 1024) * ((n + 1023) / 1024) + i / 1024"
    return "x * h + y" if shape.dimensions == 2 else "(x * h + y) * d + z"


def read(shape, k, row=None):
    """Read number k, or of a window the one in row `row` and column k: an expression of the shape's type."""
    if shape.access == "window":
        return f"a[(y + {row if row is not None else 1}) * w + x + {k}]"
    if shape.access == "vload":
        return f"vload{shape.width}({_element(dataclasses.replace(shape, access='unit'), k)}, e + 1)"
    index = _element(shape, k)
    if shape.access.startswith("fields"):
        field = "xyz"[int(k) % 3] if k.isdigit() else "y"
        index = _element(shape, "0") if k.isdigit() else index
        return f"a[{index}].{field}"
    return f"a[{index}]"


def _target(shape):
    """The index of the element that the item stores."""
    if shape.access == "scattered":
        return "t[i]"
    return _swapped(shape) if shape.access == "swapped" else "i"


def _loop(shape, work):
    """The loop of the flow: steps with reads numbered by its variables."""
    step = work.step(read(shape, "k"))
    if shape.flow == "fixed" and shape.access == "window":
        return [f"for (int k = 0; k < 3; k++) {{ {step} }}"]
    if shape.flow == "fixed":
        return [f"for (int k = 0; k < 8; k++) {{ {step} }}"]
    if shape.flow == "nested":
        row = None if shape.access != "window" else "j"
        k = "k" if row else "(j + k)"
        return ["for (int j = 0; j < 3; j++)",
                f"\tfor (int k = 0; k < {'3' if row else 'm / 2'}; k++) {{ {work.step(read(shape, k, row))} }}"]
    if shape.flow == "while":
        return ["int k = c[i];", f"while (k > 0) {{ {step} k = (k * 3) >> 2; }}"]
    return [f"for (int k = 0; k < m; k++) {{ {step} }}"]


def _straight(shape, work):
    if shape.access == "window":
        reads = [read(shape, str(k), str(j)) for j in range(3) for k in range(3)][1:]
    else:
        reads = [read(shape, "1"), read(shape, "2")]
    return [work.step(text) for text in reads]


def _body(shape, work):
    """Statements that compute and store the item's value."""
    first = read(shape, "0", "0")
    if shape.work in ("sort", "lookup"):
        return work.whole([read(shape, str(k)) for k in range(6)], _target(shape))
    lines = [f"{work.type} v = {work.enter(first)};"]
    if shape.flow == "branch":
        odd = work.step(read(shape, "1"))
        even = work.other(read(shape, "2"))
        lines += [f"if (c[i] & 1) {{ {odd} }} else {{ {even} }}"]
    elif shape.flow in ("loop", "fixed", "nested", "while"):
        lines += _loop(shape, work)
    elif shape.flow == "memory":
        return _memory(shape, work, f"b[{_target(shape)}]")
    else:
        lines += _straight(shape, work)
    return lines + work.leave(_target(shape))


def _memory(shape, work, place):
    """A sum that the kernel keeps in global memory."""
    return [f"{place} = {work.enter(read(shape, '0'))};",
            f"for (int k = 1; k < m; k++) {{ {work.step(read(shape, 'k'), place)} }}"]


def _inside(shape, outside):
    """The condition of a guard, or of its early return."""
    names = [("i", "n")] if shape.dimensions == 1 else list(zip("xyz"[:shape.dimensions], "whd"))
    if outside:
        return " || ".join(f"{place} >= {size}" for place, size in names)
    return " && ".join(f"{place} < {size}" for place, size in names)


def _statements(shape, work):
    lines = _place(shape)
    if shape.work in kinds.GROUP_WORKS:
        return lines + works.group_body(shape, work, lambda k: read(shape, k))
    body = _body(shape, work)
    if shape.flow == "guarded":
        body = [f"if ({_inside(shape, False)}) {{", *("\t" + line for line in body), "}"]
    elif shape.flow == "early":
        body = [f"if ({_inside(shape, True)})", "\treturn;", *body]
    elif shape.flow == "grid":
        lines = [f"{shape.index} size = ({shape.index})get_global_size(0);"]
        body = [f"for ({shape.index} i = ({shape.index})get_global_id(0); i < n; i += size) {{",
                *("\t" + line for line in body), "}"]
    return lines + body


def _prologue(shape, work):
    lines = []
    for element, extension in (("half", "cl_khr_fp16"), ("double", "cl_khr_fp64")):
        if element in shape.type or element in work.type or element in work.output:
            lines.append(f"#pragma OPENCL EXTENSION {extension} : enable")
    lines += [f"typedef {shape.element} E;", f"typedef {shape.type} T;"]
    if shape.access.startswith("fields"):
        lines.append(f"typedef struct {{ T {', '.join('xyzw'[:int(shape.access[-1])])}; }} S;")
    if shape.access == "mirrored":
        lines.append("static int mirror(int q, int n) { if (q < 0) q = -q; if (q >= n) q = 2 * n - 2 - q; return q; }")
    return lines + work.helpers


def _read_array(shape):
    if shape.access.startswith("fields"):
        return "global const S *a"
    return "global const E *e" if shape.access == "vload" else "global const T *a"


def kernel_of(shape, scale=1):
    """The kernel of a shape; a scale divides its number of work-items."""
    work = works.work_of(shape)
    items = data.items_of(shape, work.output, scale)
    size, inner = _extent(shape, items)
    parameters = [_read_array(shape), f"global {work.output} *b", "global const int *t", "global const uchar *c",
                  *(f"int {name}" for name in "nwhdpm")]
    lines = _prologue(shape, work)
    lines += [f"kernel void shape({', '.join(parameters)})", "{"]
    lines += ["\t" + line for line in _statements(shape, work)]
    lines += ["}", ""]
    global_size = size[:shape.dimensions] if shape.flow != "grid" else (items // 16,)
    arguments = data.arguments_of(shape, work, inner, MOST_READS)
    return Kernel("\n".join(lines), arguments, global_size, shape.local_size, work.tolerance, work.steps)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints math/direct_tables.h's tables; needs mpmath.

A significand from 1 to 2 lies in one of so many parts of equal length. A factor, of so few bits that its product with the significand
less 1 is exact, brings each part near 1: exactly to it at the ends, where logarithms are small.
"""
import re

from mpmath import atan, floor, log, mp, mpf, nint, pi, tan

mp.prec = 300


def factors(parts, bits):
    """The factors, and between which numbers the products less 1 lie."""
    result, rests = [], []
    for part in range(parts):
        ends = [1 + mpf(part) / parts, 1 + mpf(part + 1) / parts]
        candidates = [mpf(factor) / 2**bits for factor in range(2**(bits - 1), 2**bits + 1)]
        factor = min(candidates, key=lambda factor: max(abs(end * factor - 1) for end in ends))
        factor = mpf(1) if part == 0 else mpf(1) / 2 if part == parts - 1 else factor
        result.append(factor)
        rests += [end * factor - 1 for end in ends]
    return result, min(rests), max(rests)


def rounded(number, digits):
    """To so many binary digits."""
    if number == 0:
        return mpf(0)
    scale = mpf(2)**(digits - 1 - int(floor(log(abs(number), 2))))
    return nint(number * scale) / scale


def text(number, suffix):
    """As C has it, without zeros at the end."""
    return re.sub(r"\.?0+p", "p", float(number).hex()) + suffix


def show(kind, name, numbers):
    suffix = "f" if kind == "float" else ""
    print(f"TABLE({kind}, {name}, {', '.join(text(number, suffix) for number in numbers)})")


def tables(kind, parts, bits, unit):
    """`unit`: sums with exponents times log(2) are exact to that."""
    digits = 53 if kind == "double" else 24
    found, least, most = factors(parts, bits)
    highs = [nint(-log(factor) / unit) * unit for factor in found]
    suffix = "_double" if kind == "double" else ""
    print(f"\n/* From {mp.nstr(least, 5)} to {mp.nstr(most, 5)} */")
    show(kind, "near_reciprocals" + suffix, found)
    show(kind, "their_logarithms" + suffix, highs)
    show(kind, "lower_logarithms" + suffix, [rounded(-log(factor) - high, digits) for factor, high in zip(found, highs)])
    powers = [mpf(2)**(mpf(part) / parts) for part in range(parts)]
    show(kind, "parts_of_two" + suffix, [rounded(power, digits) for power in powers])
    show(kind, "rests_of_two" + suffix, [rounded(power / rounded(power, digits) - 1, digits) for power in powers])


def arctangents():
    """Of points in the middle of parts by angles, with few bits; 0 in the first part."""
    ends = [(1 + mpf(part % 4) / 4) * 2**(part // 4) / 2 - mpf(1) / 2 for part in range(16)]
    angles = [atan(end) for end in ends] + [pi / 2]
    points = [nint(16 * tan((low + high) / 2)) / 16 if low else mpf(0) for low, high in zip(angles, angles[1:])]
    print()
    show("double", "arctangent_points_double", points)
    for name, unit in ("arctangents", mpf(1)), ("half_turns", pi):
        show("double", f"their_{name}_double", [rounded(atan(point) / unit, 53) for point in points])


if __name__ == "__main__":
    tables("double", 16, 5, mpf(2)**-42)
    tables("float", 32, 6, mpf(2)**-15)
    arctangents()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The polynomials of math/error_function.cl that need more than Sollya has, by interpolation as in gamma.py. Needs mpmath. Prints C.

That for erfc in two parts: Shepherd and Laframboise, "Chebyshev approximation of (1 + 2 x) exp(x^2) erfc(x)", 1981. Rounding errors
collect at -1, where x is 0: the last coefficient but one is moved by what makes erfc(0) come out as 1.

Those of math/error_tables.h: erf(x) / x and exp(x^2) erfc(x) in 16 parts each, a polynomial of the distance from a point of the part."""
from fractions import Fraction

from mpmath import chebyfit, erf, erfc, exp, log, mp, mpf, pi, sqrt
from tables import show

mp.prec = 300
CENTRE = mpf("3.75")
END = mpf("27.3")
PARTS = 16


def scaled(u):
    x = CENTRE * (1 + u) / (1 - u)
    return (1 + 2 * x) * exp(x * x) * erfc(x)


def at_minus_one(coefficients):
    value = coefficients[0]
    for c in coefficients[1:]:
        value = float(Fraction(c) - Fraction(value))
    return value


def table(name, coefficients):
    print(f"POLYNOMIAL(double, {name}, {', '.join(c.hex() for c in coefficients)})")


def fitted(function, point, low, high, count):
    """Coefficients of powers of x - point, the lowest first."""
    return [mpf(float(c)) for c in chebyfit(lambda distance: function(point + distance), [low - point, high - point], count)[::-1]]


def show_parts(name, function, points, ends, count):
    """A table for each coefficient, the highest first, which is the order of Horner's rule."""
    found = [fitted(function, point, low, high, count) for point, low, high in zip(points, ends, ends[1:])]
    worst = max(abs(sum(c * (x - point)**k for k, c in enumerate(part)) / function(x) - 1)
                for part, point, low, high in zip(found, points, ends, ends[1:])
                for x in (low + (high - low) * mpf(i) / 64 for i in range(1, 64)))
    print(f"\n/* Relative error 2^{mp.nstr(log(worst, 2), 3)} */")
    for power in reversed(range(count)):
        show("double", f"{name}_{power}", [part[power] for part in found])


def print_polynomials():
    fit = [float(c) for c in chebyfit(scaled, [mpf(-1), (END - CENTRE) / (END + CENTRE)], 23)]
    high, low = fit[:-12], fit[-12:]
    low[-2] += at_minus_one(high) + at_minus_one(low) - 1.0
    assert at_minus_one(high) + at_minus_one(low) == 1.0
    table("erfc_12", high)
    table("erfc_0", low)


def print_tables():
    step = mpf(float("0.3822"))
    points = [part * step for part in range(PARTS)]
    show_parts("erf_part", lambda x: erf(x) / x if x else 2 / sqrt(pi), points,
               [mpf(0), *(point + step / 2 for point in points)], 12)
    # Four parts between two powers of two, of 1.1 x + 2.
    powers = [(1 + mpf(part % 4) / 4) * 2**(part // 4 + 1) for part in range(PARTS + 1)]
    points = [(power - 2) * mpf(float.fromhex("0x1.d1745d1745d17p-1")) for power in powers]
    show_parts("erfc_part", lambda x: exp(x * x) * erfc(x), points[:-1], points, 14)


if __name__ == "__main__":
    print_polynomials()
    print_tables()

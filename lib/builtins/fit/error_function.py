#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The polynomial of math/error_function.cl for erfc, by interpolation as in gamma.py, in two parts: Shepherd and
Laframboise, "Chebyshev approximation of (1 + 2 x) exp(x^2) erfc(x)", 1981. Needs mpmath. Prints C.

Rounding errors collect at -1, where x is 0: the last coefficient but one is moved by what makes erfc(0) come out as 1."""
from fractions import Fraction

from mpmath import mp, mpf, chebyfit, erfc, exp

mp.prec = 300
CENTRE = mpf("3.75")
END = mpf("27.3")


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


fit = [float(c) for c in chebyfit(scaled, [mpf(-1), (END - CENTRE) / (END + CENTRE)], 23)]
high, low = fit[:-12], fit[-12:]
low[-2] += at_minus_one(high) + at_minus_one(low) - 1.0
assert at_minus_one(high) + at_minus_one(low) == 1.0
table("erfc_12", high)
table("erfc_0", low)

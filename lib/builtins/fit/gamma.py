#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The polynomials of math/gamma.cl, of float's the last: interpolation at Chebyshev's points, which is within a small factor of
minimax (Trefethen, "Approximation Theory and Approximation Practice", 2013), rounded to the type. Needs
mpmath. Prints C."""
import struct

from mpmath import mp, mpf, chebyfit, gamma, loggamma, log, pi, polyval

mp.prec = 300


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def table(title, name, f, low, high, degree, of_float=False):
    coefficients = [float(c) for c in chebyfit(f, [low, high], degree + 1)]
    if of_float:
        coefficients = [single(c) for c in coefficients]
    worst = max(abs(polyval([mpf(c) for c in coefficients], x) / f(x) - 1)
                for x in (low + (high - low) * mpf(i) / 500 for i in range(501)) if f(x) != 0)
    print(f"\n/* {title}: relative error 2^{int(mp.nint(mp.log(worst, 2)))} */")
    kind, suffix = ("float", "f") if of_float else ("double", "")
    print(f"POLYNOMIAL({kind}, {name}, {', '.join(c.hex() + suffix for c in coefficients)})")


def stirling(y):
    """What Stirling's formula lacks, as a function of y = 1 / x^2, times x."""
    x = 1 / mp.sqrt(y)
    return (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2) * x


table("1 / gamma(3/2 + x) for x in [-1/2, 1/2]", "inverse_gamma", lambda x: 1 / gamma(x + mpf(3) / 2),
      mpf(-1) / 2, mpf(1) / 2, 17)
table("log(gamma(1 + x)) / x for x in [-1/4, 1/4]", "log_gamma_ratio",
      lambda x: loggamma(1 + x) / x if x else -mp.euler, mpf(-1) / 4, mpf(1) / 4, 18)
table("x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2) in 1 / x^2, for x >= 8", "stirling_tail",
      stirling, mpf(10) ** -8, mpf(1) / 64, 7)

def correction(u):
    """gamma(y) by what Stirling's formula makes of it, for y = 1 / u."""
    y = 1 / u
    return gamma(y) * mp.exp(y) / (mp.sqrt(2 * pi) * y ** (y - mpf(1) / 2))


table("gamma(y) / (sqrt(2 pi) y^(y - 1/2) e^-y) in 1 / y, for y >= 3", "gamma_correction", correction,
      mpf(10) ** -4, mpf(1) / 3, 5, True)

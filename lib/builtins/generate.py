#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the OpenCL C sources of the built-in library from its descriptions (families.py, irregular.py, image_functions.py,
intel_subgroups.py) and the bodies.

    generate.py --list               prints the names of the members
    generate.py --output DIRECTORY   writes DIRECTORY/<member>.cl, touching only what changed
"""
import argparse
import os
import sys

import families
import image_functions
import intel_subgroups
import irregular
from overloads import Overload, vector

HERE = os.path.dirname(os.path.abspath(__file__))


def member_source(name, body_file, functions):
    """The text of one member."""
    lines = ["/* Made by generate.py: change families.py, irregular.py or the file with the bodies. */",
             '#include "prelude.h"', '#include "overloads.h"']
    if body_file:
        lines.append(f'#include <{body_file}>')
    for names, signatures, types, sizes, body in functions:
        for function in names:
            for signature in signatures.split():
                for element in types:
                    for n in sizes:
                        lines += Overload(function, signature, element, n, body).definitions()
    return "\n".join(lines) + "\n"


def members():
    """Every member's name and, as a function, its text."""
    result = {}
    for name, body_file, functions in families.MEMBERS:
        result[name] = lambda m=name, b=body_file, f=functions: member_source(m, b, f)
    result.update(irregular.members())
    result.update(image_functions.members())
    result.update(intel_subgroups.members())
    return result


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    if arguments.list:
        print(";".join(members()), end="")
    if arguments.output:
        os.makedirs(arguments.output, exist_ok=True)
        for name, text in members().items():
            write_if_changed(os.path.join(arguments.output, name + ".cl"), text())
    return 0


if __name__ == "__main__":
    sys.exit(main())

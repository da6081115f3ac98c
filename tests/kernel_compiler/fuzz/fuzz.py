# SPDX-License-Identifier: MIT
"""Assembles the modules of ../spirv, and those of other folders, and gives them to a program that reads changed forms of them.

usage: fuzz.py [--spirv-as PATH] [--more FOLDER] spirv_changes COUNT SEED
       fuzz.py [--spirv-as PATH] [--more FOLDER] spirv_fuzz CORPUS [option of libFuzzer]...
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SPIRV = pathlib.Path(__file__).resolve().parent.parent / "spirv"
# Slow, or with much memory, is a fault, too.
LIMITS = ["-timeout=10", "-rss_limit_mb=2048", "-max_len=16384"]


def assemble(assembler, source, folder):
    module = folder / f"{source.stem}.spv"
    subprocess.run([assembler, "--target-env", "spv1.6", source, "-o", module], check=True)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spirv-as", default="spirv-as")
    parser.add_argument("--more", type=pathlib.Path, help="a folder of modules (.spv, .spv32, .spv64)")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        modules = [assemble(options.spirv_as, source, folder) for source in sorted(SPIRV.glob("*.spvasm"))]
        modules += sorted(options.more.rglob("*.spv*")) if options.more else []
        if options.program.name == "spirv_fuzz":
            corpus = pathlib.Path(options.arguments[0])
            corpus.mkdir(parents=True, exist_ok=True)
            for number, module in enumerate(modules):
                (corpus / f"{number}_{module.name}").write_bytes(module.read_bytes())
            command = [options.program, *LIMITS, f"-artifact_prefix={corpus}/found_", *options.arguments[1:], corpus]
        else:
            command = [options.program, *options.arguments, *modules]
        return subprocess.run(command, check=False).returncode


sys.exit(main())

# SPDX-License-Identifier: MIT
"""Modules that break a rule are refused with a line of the log that names the rule: those of refused.txt, which this
assembles, and broken words that no assembler writes.

usage: refused.py weft-spirv spirv-as"""

import concurrent.futures
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

PRELUDE = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability GenericPointer
%s
OpMemoryModel Physical64 OpenCL
%s
%%void = OpTypeVoid
%%bool = OpTypeBool
%%uint = OpTypeInt 32 0
%%ulong = OpTypeInt 64 0
%%float = OpTypeFloat 32
%%void_function = OpTypeFunction %%void
%%vector = OpTypeVector %%uint 2
%%pair = OpTypeStruct %%uint %%ulong
%%ptr_local_uint = OpTypePointer Workgroup %%uint
%%ptr_local_pair = OpTypePointer Workgroup %%pair
%%ptr_global_uint = OpTypePointer CrossWorkgroup %%uint
%%one = OpConstant %%uint 1
%%two = OpConstant %%uint 2
%%long_one = OpConstant %%ulong 1
%%float_one = OpConstant %%float 1
%%true = OpConstantTrue %%bool
%%pair_value = OpConstantComposite %%pair %%one %%long_one
%%vector_value = OpConstantComposite %%vector %%one %%one
%%variable = OpVariable %%ptr_local_uint Workgroup
%%pair_variable = OpVariable %%ptr_local_pair Workgroup
%%address = OpSpecConstantOp %%ulong ConvertPtrToU %%variable
"""
KERNEL = """%%k = OpFunction %%void None %%void_function
%%entry = OpLabel
%s
OpFunctionEnd
"""
FIRST_OF_ALL = re.compile(r"(%\w+ = )?Op(Extension|Capability|ExtInstImport)")
FIRST = re.compile(r"(%\w+ = )?Op(Type\w+|Constant\w*|SpecConstant\w*|Function|Variable|Load)\b")


def assembler(lines):
    """The text of a module of which these lines are the part that is wrong."""
    before = [line[1:] for line in lines if line.startswith("@")]
    body = "\n".join(line for line in lines if not line.startswith("@"))
    extension = "\n".join(line for line in before if FIRST_OF_ALL.match(line))
    early = "\n".join(line for line in before if not FIRST_OF_ALL.match(line))
    global_body = not body or (FIRST.match(body) and "OpReturn" not in body.split("OpFunction ")[0])
    return PRELUDE % (extension, early) + (body if global_body else KERNEL % body) + "\n"


def cases(path):
    text = path.read_text(encoding="utf-8").split("\n== ")[1:]
    for case in text:
        message, *lines = case.strip().split("\n")
        yield message, assembler(lines)


def words(*rows):
    return struct.pack(f"<{len(rows)}I", *rows)


def multiplying():
    """Small modules that ask for much, and what the log says of them."""
    head = PRELUDE % ("", "")
    values = "".join(f"%value{i} = OpPhi %uint %one %entry\n" for i in range(2000))
    switch = f"OpSwitch %two %there {' '.join(f'{i} %there' for i in range(1000))}\n"
    yield "OpPhi: the module multiplies values", head + KERNEL % f"{switch}%there = OpLabel\n{values}OpReturn"
    types = "".join(f"%inner{c} = OpTypeStruct {'%uint ' * 64}\n%outer{c} = OpTypeStruct {f'%inner{c} ' * 60}\n"
                    for c in "ab")
    copies = "".join(f"%copy{i} = OpCopyLogical %outerb %nothing\n" for i in range(300))
    yield ("OpCopyLogical: the module multiplies values",
           head + types + "%nothing = OpConstantNull %outera\n" + KERNEL % f"{copies}OpReturn")
    sums = "".join(f"%sum{i + 1} = OpSpecConstantOp %ulong IAdd %sum{i} %sum{i}\n" for i in range(40))
    yield ("IAdd: a constant is computed of addresses by more than 256 operations",
           head + "%sum0 = OpSpecConstantOp %ulong ConvertPtrToU %variable\n" + sums + KERNEL % "OpReturn")


def broken():
    """Broken words, and what the log says of them."""
    magic, version = 0x07230203, 0x00010400
    header = words(magic, version, 0, 100, 0)
    yield "it has no whole header", b""
    yield "it has no whole header", header[:16]
    yield "a part of a word", header + b"\0"
    yield "the magic number", words(1, version, 0, 100, 0)
    yield "this version of SPIR-V is not offered: 1.9", words(magic, 0x00010900, 0, 100, 0)
    yield "this version of SPIR-V is not offered: 0.9", words(magic, 0x00000900, 0, 100, 0)
    yield "the bound of ids is above", words(magic, version, 0, 0xffffffff, 0)
    yield "the schema is reserved", words(magic, version, 0, 100, 1)
    yield "the module has no OpMemoryModel", header
    yield "there is no operation 65535", header + words(0x0001ffff)
    yield "it does not end within the module", header + words(0x00030011, 6)
    yield "it does not end within the module", header + words(0x00000000)
    yield "it has 1 words, not 2", header + words(0x00010011)
    yield "it has 3 words, not 2", header + words(0x00030011, 6, 6)
    yield "the id 0 is not below the bound, or 0", header + words(0x00020013, 0)
    yield "the id 100 is not below the bound, or 0", header + words(0x00020013, 100)
    yield "a string has no end", header + words(0x0002000a, 0x20202020)
    yield "does not declare the capability Kernel", header + words(0x0003000e, 2, 2)
    yield "the memory model is not OpenCL", header + words(0x0003000e, 2, 1)
    yield "is not Physical32 or Physical64", header + words(0x0003000e, 0, 2)
    yield "a module has one memory model", header + words(0x0003000e, 2, 2, 0x0003000e, 2, 2)
    yield "no function ends here", header + words(0x00020013, 1, 0x00050036, 1, 2, 0, 3, 0x00010038, 0x00010038)
    yield "this function has no end", header + words(0x00020013, 1, 0x00050036, 1, 2, 0, 3)
    # An operation on constants that makes no value: OpReturn.
    kernel = words(0x00020011, 6, 0x0003000e, 2, 2)
    yield "there is no such operation", header + kernel + words(0x00040015, 1, 32, 0, 0x00040034, 1, 2, 253)
    # The other byte order is read as well.
    yield "the memory model is not OpenCL", struct.pack(">8I", magic, version, 0, 100, 0, 0x0003000e, 2, 1)


def assemble(tool, folder, number, text):
    path = os.path.join(folder, f"{number}.spv")
    made = subprocess.run([tool, "--target-env", "spv1.5", "--preserve-numeric-ids", "-o", path, "-"], input=text,
                          text=True, capture_output=True, check=False)
    if made.returncode:
        sys.exit(f"case {number} is no assembler:\n{text}\n{made.stdout}{made.stderr}")
    return path


def main():
    reader, tool = sys.argv[1:]
    wanted, paths, wrong = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        rows = [*cases(pathlib.Path(__file__).with_name("refused.txt")), *multiplying()]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            paths = list(pool.map(lambda row: assemble(tool, folder, row[0], row[1][1]), enumerate(rows)))
        wanted = [message for message, _ in rows]
        for message, data in broken():
            wanted.append(message)
            paths.append(os.path.join(folder, f"{len(paths)}.spv"))
            pathlib.Path(paths[-1]).write_bytes(data)
        result = subprocess.run([reader, *paths], text=True, capture_output=True, check=False)
        logs = re.split(r"^--- .*\n", result.stdout, flags=re.M)[1:]
        if len(logs) != len(paths):
            sys.exit(f"{len(logs)} of {len(paths)} modules were read: {result.stdout[-300:]}{result.stderr}")
        for message, log in zip(wanted, logs):
            if message not in log or not re.match(r"<spirv>:word \d+: error: ", log):
                print(f"wanted: {message}\nthe log: {log[:400]}")
                wrong += 1
    print(f"{len(paths) - wrong} of {len(paths)} modules are refused as they should")
    sys.exit(wrong != 0)


main()

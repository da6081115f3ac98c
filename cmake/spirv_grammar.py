# SPDX-License-Identifier: MIT
"""Writes the layout of SPIR-V's instructions, one INSTRUCTION(...) row each, and the names of capabilities, from the grammar that
spirv-headers installs. Who includes it, defines the macro of the rows that are wanted.

usage: spirv_grammar.py spirv.core.grammar.json output"""

import json
import sys

# Kinds of operands that are followed by operands of their own, or are as long as their type says.
LONG = {"LiteralContextDependentNumber", "LiteralSpecConstantOpInteger", "LiteralString"}
ANY = 65535  # as many words as an instruction has


def with_parameters(kinds):
    """Kinds of which an enumerant has parameters."""
    return {kind["kind"] for kind in kinds if any("parameters" in row for row in kind.get("enumerants", ()))}


def words(operands, long):
    """The least and the most words of these operands."""
    least = most = 0
    for operand in operands:
        size = 2 if operand["kind"].startswith("Pair") else 1
        quantifier = operand.get("quantifier")
        if quantifier is None:
            least += size
        most = ANY if quantifier == "*" or operand["kind"] in long else most + size
    return least, min(most, ANY)


def rows(grammar):
    long = LONG | with_parameters(grammar["operand_kinds"])
    seen = set()
    for row in grammar["instructions"]:
        if row["opcode"] in seen:
            continue
        seen.add(row["opcode"])
        operands = row.get("operands", [])
        kinds = [operand["kind"] for operand in operands]
        rest = [operand for operand in operands if operand["kind"] not in ("IdResultType", "IdResult")]
        least, most = words(rest, long)
        yield row["opcode"], row["opname"], "IdResultType" in kinds, "IdResult" in kinds, least, most


def capabilities(grammar):
    """Number and name, the first name of each."""
    kind, = (kind for kind in grammar["operand_kinds"] if kind["kind"] == "Capability")
    names = {}
    for row in kind["enumerants"]:
        names.setdefault(row["value"], row["enumerant"])
    return sorted(names.items())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        grammar = json.load(file)
    with open(sys.argv[2], "w", encoding="utf-8") as output:
        print("#ifdef INSTRUCTION", file=output)
        for opcode, name, has_type, has_result, least, most in sorted(rows(grammar)):
            print(f"INSTRUCTION({opcode}, {name}, {has_type:d}, {has_result:d}, {least}, {most})", file=output)
        print("#endif\n#ifdef CAPABILITY_NAME", file=output)
        for number, name in capabilities(grammar):
            print(f"CAPABILITY_NAME({number}, {name})", file=output)
        print("#endif", file=output)


main()

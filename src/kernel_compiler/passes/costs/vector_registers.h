/* SPDX-License-Identifier: MIT
 *
 * The vector registers of the CPU that code is made for.
 */
#ifndef WEFT_PASSES_VECTOR_REGISTERS_H
#define WEFT_PASSES_VECTOR_REGISTERS_H

namespace llvm
{
class TargetTransformInfo;
}

namespace weft
{

/* Work-items that one vector does at once. */
constexpr unsigned mostLanes = 32;

/* A CPU's vector registers. */
struct VectorRegisters {
	unsigned count, bits;
};

/* The target's, or what the options say. */
VectorRegisters vectorRegisters(const llvm::TargetTransformInfo &target);

} // namespace weft

#endif

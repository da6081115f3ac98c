/* SPDX-License-Identifier: MIT
 *
 * The vector registers of the CPU that code is made for.
 */
#ifndef WEFT_PASSES_VECTOR_REGISTERS_H
#define WEFT_PASSES_VECTOR_REGISTERS_H

namespace llvm
{
class Module;
class TargetTransformInfo;
} // namespace llvm

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

/* In what vectors the module's CPU permutes 32-bit elements by an instruction: of 512 bits (AVX-512), of 256 (AVX2), or none, 0. */
unsigned permutedBits(const llvm::Module &module);
void setPermutedBits(llvm::Module &module, unsigned bits);

} // namespace weft

#endif

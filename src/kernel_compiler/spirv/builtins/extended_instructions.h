/* SPDX-License-Identifier: MIT
 *
 * The instructions of the extended set OpenCL.std: calls of the built-in functions that opencl_std.def names.
 */
#ifndef WEFT_SPIRV_EXTENDED_INSTRUCTIONS_H
#define WEFT_SPIRV_EXTENDED_INSTRUCTIONS_H

#include "spirv/binary/words.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace weft::spirv
{

// Of an OpExtInst: its first two operands are the set and the instruction's number. `operand` gives the value of one of its
// operands by the index.
struct ExtendedInstruction {
	const Instruction &instruction;
	llvm::IRBuilderBase &builder;
	llvm::function_ref<llvm::Value *(unsigned)> operand;
	llvm::Type *result;
};

// NULL when it stands for no value. Fails when the set has no such instruction.
llvm::Value *readOpenCLStd(const ExtendedInstruction &extended);

} // namespace weft::spirv

#endif

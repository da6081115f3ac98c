/* SPDX-License-Identifier: MIT
 *
 * Instructions that are calls of OpenCL C's built-in functions, or code that stands for such a call. Each reader is false when
 * the instruction is none of its own.
 */
#ifndef WEFT_SPIRV_BUILTIN_INSTRUCTIONS_H
#define WEFT_SPIRV_BUILTIN_INSTRUCTIONS_H

namespace llvm
{
class Value;
}

namespace weft::spirv
{

class FunctionReader;
class Instruction;

// Conversions with a decoration that says how they round, or that they saturate.
bool readRoundedConversion(FunctionReader &function, const Instruction &instruction);
bool readSynchronization(FunctionReader &function, const Instruction &instruction);
bool readAtomic(FunctionReader &function, const Instruction &instruction);
bool readGroup(FunctionReader &function, const Instruction &instruction);
bool readSubGroup(FunctionReader &function, const Instruction &instruction);
bool readImage(FunctionReader &function, const Instruction &instruction);
bool readCopy(FunctionReader &function, const Instruction &instruction);
bool readPipe(FunctionReader &function, const Instruction &instruction);
bool readDotProduct(FunctionReader &function, const Instruction &instruction);
bool readBits(FunctionReader &function, const Instruction &instruction);
bool readGenericPointer(FunctionReader &function, const Instruction &instruction);
bool readExtendedInstruction(FunctionReader &function, const Instruction &instruction);

// The sampler of an OpConstantSampler, made where a function uses it.
llvm::Value *makeConstantSampler(FunctionReader &function, const Instruction &constant);

} // namespace weft::spirv

#endif

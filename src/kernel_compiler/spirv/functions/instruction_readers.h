/* SPDX-License-Identifier: MIT
 *
 * The readers of instructions. Each file of builtins/ and instructions/ reads some. A reader is false for an instruction that is
 * none of its own.
 */
#ifndef WEFT_SPIRV_INSTRUCTION_READERS_H
#define WEFT_SPIRV_INSTRUCTION_READERS_H

namespace llvm
{
class Value;
}

namespace weft::spirv
{

class FunctionReader;
class Instruction;

// In instructions/.
bool readArithmetic(FunctionReader &function, const Instruction &instruction);
bool readComparison(FunctionReader &function, const Instruction &instruction);
bool readConversion(FunctionReader &function, const Instruction &instruction);
bool readMemory(FunctionReader &function, const Instruction &instruction);
bool readAccessChain(FunctionReader &function, const Instruction &instruction);
bool readComposite(FunctionReader &function, const Instruction &instruction);
bool readControlFlow(FunctionReader &function, const Instruction &instruction);
bool readCall(FunctionReader &function, const Instruction &instruction);
bool readHint(FunctionReader &function, const Instruction &instruction);
// Conversions with a decoration that says how they round, or that they saturate.
bool readRoundedConversion(FunctionReader &function, const Instruction &instruction);
bool readSynchronization(FunctionReader &function, const Instruction &instruction);
bool readAtomic(FunctionReader &function, const Instruction &instruction);
bool readGroup(FunctionReader &function, const Instruction &instruction);
bool readSubGroup(FunctionReader &function, const Instruction &instruction);
bool readSubGroupBlock(FunctionReader &function, const Instruction &instruction);
bool readImage(FunctionReader &function, const Instruction &instruction);
bool readCopy(FunctionReader &function, const Instruction &instruction);
bool readPipe(FunctionReader &function, const Instruction &instruction);
bool readDeviceEnqueue(FunctionReader &function, const Instruction &instruction);
bool readNumberFunction(FunctionReader &function, const Instruction &instruction);
bool readDotProduct(FunctionReader &function, const Instruction &instruction);
bool readBits(FunctionReader &function, const Instruction &instruction);
bool readGenericPointer(FunctionReader &function, const Instruction &instruction);
bool readExtendedInstruction(FunctionReader &function, const Instruction &instruction);

// The address of a built-in variable's copy in this function.
llvm::Value *makeBuiltinVariable(FunctionReader &function, const Instruction &variable);
// The sampler of an OpConstantSampler, made where a function uses it.
llvm::Value *makeConstantSampler(FunctionReader &function, const Instruction &constant);

} // namespace weft::spirv

#endif

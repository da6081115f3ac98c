/* SPDX-License-Identifier: MIT
 *
 * Programs whose kernels are compiled apart from each other, each when its code is wanted: which kernels are made together, and what a
 * module is for them. The module has not been through our passes.
 */
#ifndef WEFT_KERNEL_UNITS_H
#define WEFT_KERNEL_UNITS_H

#include "code_generation/codegen_units.h"

#include <llvm/IR/Module.h>

#include <memory>

namespace weft
{

// Units of neighbouring kernels of a module that lacks nothing but built-in functions. None, if the program is small, if its kernels share
// variables or enqueue each other, or if an error may be in it that is found when it is compiled as a whole.
CodegenUnits divideSource(llvm::Module &module, bool quick);

// The same by the kernels' sizes alone, in instructions with what is inlined.
CodegenUnits divideBySizes(llvm::ArrayRef<double> sizes, bool quick);

// Leaves all kernels and what they need.
void keepAllKernels(llvm::Module &module);

// Leaves the kernels, each with an empty body.
void keepSignatures(llvm::Module &module);

// Leaves one unit's kernels and what they need.
llvm::Error keepKernels(llvm::Module &module, llvm::ArrayRef<uint32_t> unitOfKernel, uint32_t unit);

// The description of a program: with the parts of all its units linked, it has their kernels' rows.
std::unique_ptr<llvm::Module> makeFrame(const llvm::Module &like, uint32_t numKernels,
					llvm::StringRef object);

} // namespace weft

#endif

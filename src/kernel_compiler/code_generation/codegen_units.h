/* SPDX-License-Identifier: MIT
 *
 * Programs in parts: which kernels' code can be made apart from that of others, and what a module is for one part. The
 * module has been through our passes: WEFT_PROGRAM_SYMBOL describes its kernels, in rows.
 */
#ifndef WEFT_CODEGEN_UNITS_H
#define WEFT_CODEGEN_UNITS_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace weft
{

struct CodegenUnits {
	unsigned count = 0;                       // 0: all code is better made at once
	llvm::SmallVector<uint32_t, 16> ofKernel; // of each row
};

// Kernels that share variables, or functions of some size, are in one unit; small ones share one for company.
CodegenUnits divideKernels(const llvm::Module &module);

// Leaves the descriptors, whose entry points are NULL unless they are linked with units that have them.
void keepDescriptors(llvm::Module &module);

// Leaves these functions and what they need. Functions that the module has not read yet are read when they are needed.
llvm::Error keepNeeded(llvm::Module &module, llvm::ArrayRef<llvm::GlobalValue *> roots);

// Leaves what the kernels of one unit need; their entry points are for keepDescriptors' module.
llvm::Error keepUnit(llvm::Module &module, llvm::ArrayRef<uint32_t> unitOfKernel, uint32_t unit);

} // namespace weft

#endif

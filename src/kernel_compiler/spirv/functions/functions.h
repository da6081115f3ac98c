/* SPDX-License-Identifier: MIT
 *
 * The functions and variables of a module as LLVM has them: linkage, attributes of parameters, kernels.
 */
#ifndef WEFT_SPIRV_FUNCTIONS_H
#define WEFT_SPIRV_FUNCTIONS_H

#include "spirv/module/module_reader.h"

namespace weft::spirv
{

/* Makes the kernel of an entry point, when the function has its body: the function itself, or one that calls it. */
void makeKernel(ModuleReader &module, const EntryPoint &entry, FunctionInfo &info);

/* What the execution modes of an entry point say of a kernel (execution_modes.cpp). */
void readModes(ModuleReader &module, const EntryPoint &entry, llvm::Function &kernel);

/* What clGetKernelArgInfo answers (kernel_arguments.cpp). */
void describeArguments(const ModuleReader &module, const EntryPoint &entry,
		       const FunctionInfo &info, llvm::Function &kernel);

} // namespace weft::spirv

#endif

/* SPDX-License-Identifier: MIT
 *
 * The way from a merged module to kernels that the host can run.
 */
#ifndef WEFT_PIPELINE_H
#define WEFT_PIPELINE_H

#include "pipeline/pipeline_tables.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <string>

namespace weft
{

/* Our passes on a front end's module with all objects of a program, which is then linked with the built-ins, and may be kept for
 * specialisations. */
void runProgramPasses(llvm::Module &module);

/* Our passes on kernels. Takes a module that has been linked with the built-ins and given the machine's triple and data layout.
 * Leaves it with one weft_program_desc and entry points of type weft_kernel_entry (kernel_abi.h), and nothing else
 * visible. False, with lines "error: …" appended to the log, when the program breaks a rule of the language that only the
 * whole program shows (recursion), or is too large; the module is useless then. */
bool runKernelPasses(llvm::Module &module, llvm::TargetMachine &machine,
		     const PipelineOptions &options, std::string &log);

/* Gives descriptors to kernels without code: what the passes find is not in them. Takes a module that has been given the machine's
 * triple and data layout. */
void describeSignatures(llvm::Module &module, const PipelineOptions &options);

/* LLVM's optimisations of what they have made, or of some of its kernels. False as above. */
bool optimiseKernels(llvm::Module &module, llvm::TargetMachine &machine, bool optimise,
		     std::string &log);

} // namespace weft

#endif

/* SPDX-License-Identifier: MIT
 *
 * The way from a merged module to kernels that the host can run.
 */
#ifndef WEFT_PIPELINE_H
#define WEFT_PIPELINE_H

#include "compiler.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>

#include <string>

namespace weft
{

struct PipelineOptions {
	bool optimise = true;     /* false: -cl-opt-disable */
	unsigned vectorWidth = 0; /* lanes to widen to; 0: the pipeline's choice, 1: none */
	llvm::StringRef object;   /* for weft_program_desc.object; may be empty */
	const weft_costs *costs = nullptr; /* of counted cycles; nullptr: they are not */
	bool slowGathers = false;          /* scattered_costs.h */
};

/* Our passes. Takes a module that has been linked with the built-ins and given the machine's triple and data layout.
 * Leaves it with one weft_program_desc and entry points of type weft_kernel_entry (kernel_abi.h), and nothing else
 * visible. False, with lines "error: …" appended to the log, when the program breaks a rule of the language that only the
 * whole program shows (recursion), or is too large; the module is useless then. */
bool runKernelPasses(llvm::Module &module, llvm::TargetMachine &machine,
		     const PipelineOptions &options, std::string &log);

/* LLVM's optimisations of what they have made, or of some of its kernels. False as above. */
bool optimiseKernels(llvm::Module &module, llvm::TargetMachine &machine, bool optimise,
		     std::string &log);

/* Our part of the pipeline, without the optimisations that come after it. */
void addKernelPasses(llvm::ModulePassManager &manager, const PipelineOptions &options = {});

} // namespace weft

#endif

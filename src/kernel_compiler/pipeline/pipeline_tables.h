/* SPDX-License-Identifier: MIT
 *
 * The pipelines as tables: which passes run on kernels, in which order. tests/style/pipelines.py compares PassRegistry.def and
 * docs/passes.md with them.
 */
#ifndef WEFT_PIPELINE_TABLES_H
#define WEFT_PIPELINE_TABLES_H

#include "compiler.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

namespace weft
{

struct PipelineOptions {
	bool optimise = true;     /* false: -cl-opt-disable */
	bool quick = false;       /* what takes long is left out */
	bool footprints = false;  /* kernels have them (kernel_footprint.h) */
	unsigned vectorWidth = 0; /* lanes to widen to; 0: the pipeline's choice, 1: none */
	llvm::StringRef object;   /* for weft_program_desc.object; may be empty */
	bool isPart = false;      /* the module has some of the program's kernels */
	const weft_costs *costs = nullptr; /* of counted cycles; nullptr: they are not */
	bool slowGathers = false;          /* scattered_costs.h */
	unsigned precompiledBits = 512;    /* code_generation.h */
};

/* What only a program's complete module shows, before it is linked with the built-ins. */
void addProgramPasses(llvm::ModulePassManager &manager);

/* From a merged module to kernels, in stages. After a stage that has reported an error no other may run. */
struct KernelPipeline {
	llvm::ModulePassManager checks; /* what only the whole program shows */
	llvm::ModulePassManager calls;  /* to kernels without calls but those that stay */
	llvm::ModulePassManager
		flat; /* to one body for each kernel, in SSA form, for one work-item */
	llvm::ModulePassManager
		groups; /* to entry points that run groups; the first stage that may ask for the CPU
			   where cycles are counted */
};

/* The CPU's, or the simulator's where there are costs. */
KernelPipeline kernelPipeline(const PipelineOptions &options);

/* All stages of the CPU's, for weft-opt. */
void addKernelPasses(llvm::ModulePassManager &manager);

/* From kernels without code to their descriptors. */
void addSignaturePasses(llvm::ModulePassManager &manager, const PipelineOptions &options);

/* Within LLVM's pipeline, before its vectorizers. */
void addVectorizerStart(llvm::FunctionPassManager &passes);

/* What the passes after LLVM's ask of a CPU: code_generation.h says what each is. */
struct LastPassesTarget {
	bool hasTernaryLogic;
	bool lowersHalves;
	bool hasBroadcastOperands;
	bool selectsMinima;
	bool hasSaturatingConversions;
	bool hasMaskRegisters;
};

/* After LLVM's pipeline. */
void addLastPasses(llvm::ModulePassManager &manager, bool optimise, LastPassesTarget target);

} // namespace weft

#endif

/* SPDX-License-Identifier: MIT
 *
 * emit-descriptors: makes the descriptors of the kernel binary.
 * Expects: kernels that execute one work-group, annotated (argument-access, work-item-loops and so on), with
 *          Clang's kernel_arg_* metadata.
 * Ensures: the module exports WEFT_PROGRAM_SYMBOL, the weft_program_desc of kernel_abi.h, with a descriptor of
 *          every kernel that refers to the kernel as its entry point.
 * Keeps:   code.
 * Why here: the signature and all annotations are known, and entry-points, which comes next, replaces the
 *          kernels in the descriptors by their entry points.
 */
#ifndef WEFT_PASSES_EMIT_DESCRIPTORS_H
#define WEFT_PASSES_EMIT_DESCRIPTORS_H

#include "ir/required_pass.h"

namespace weft
{

/* Of bitcode that specialisations for sizes or images are made of. Larger programs have none: they take seconds to compile, and a
 * process that exits waits for a compilation under way. */
constexpr size_t maxSpecialisationBytes = 64 * 1024;

/* Rows of weft_program_desc.kernels: the linker puts those of all parts of a program into one table. */
constexpr char rowsSection[] = "weft_rows";

struct EmitDescriptorsPass : llvm::PassInfoMixin<EmitDescriptorsPass>, RequiredPass {
	/* `object`, borrowed: what specialisations of kernels can be made of; empty: none shall be. `isPart`: the module has some of the
	 * program's kernels. Then its weft_program_desc is weak and has no object, and the kernels' rows are in their section. */
	explicit EmitDescriptorsPass(llvm::StringRef theObject = {}, bool isPart = false)
	    : object(theObject), part(isPart)
	{
	}
	llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

      private:
	llvm::StringRef object;
	bool part;
};

} // namespace weft

#endif

/* SPDX-License-Identifier: MIT
 *
 * LLVM's passes from a module to machine code, for what is of usual size, what is large, and quick code.
 */
#ifndef WEFT_EMISSION_PASSES_H
#define WEFT_EMISSION_PASSES_H

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft
{

struct Emission {
	llvm::raw_pwrite_stream &stream;
	llvm::CodeGenFileType type;
};

/* As TargetMachine::addPassesToEmitFile for the module: true where it cannot be done. */
bool addEmissionPasses(llvm::legacy::PassManager &passes, llvm::TargetMachine &machine,
		       llvm::Module &module, const Emission &emission);

} // namespace weft

#endif

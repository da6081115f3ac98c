/* SPDX-License-Identifier: MIT
 *
 * SPIR-V to LLVM IR: the front end beside Clang. It gives the form that docs/kernel_ir.md describes. A module is never
 * trusted: what breaks a rule of the specification is a line of the log with the word's offset and the rule.
 */
#ifndef WEFT_SPIRV_READER_H
#define WEFT_SPIRV_READER_H

#include "compiler.h"
#include "front_end/build_options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace weft
{

/* The value of one specialisation constant (clSetProgramSpecializationConstant). */
struct SpirvSpecialisation {
	uint32_t id; /* the operand of its SpecId decoration */
	llvm::ArrayRef<uint8_t> value;
};

/* All is borrowed for the call. */
struct SpirvInput {
	const void *words; /* in either byte order; need not be aligned */
	size_t bytes;
	llvm::ArrayRef<SpirvSpecialisation>
		specialisations;  /* of a number twice: the last counts */
	bool zeroPrivate = false; /* as weft_compile_desc.zero_private and zero_local */
	bool zeroLocal = false;
};

/* NULL when the module breaks a rule or needs what `target` does not have; `log` gets lines
 * "<spirv>:word N: error: text" then, and warnings either way. */
std::unique_ptr<llvm::Module> readSpirv(const SpirvInput &input, const BuildOptions &options,
					const weft_target &target, llvm::LLVMContext &context,
					std::string &log);

} // namespace weft

#endif

/* SPDX-License-Identifier: MIT
 *
 * SPIR-V to LLVM IR: the front end beside Clang. It gives the form that docs/kernel_ir.md describes. A module is never
 * trusted: what breaks a rule of the specification is a line of the log with the word's offset and the rule.
 */
#ifndef WEFT_SPIRV_READER_H
#define WEFT_SPIRV_READER_H

#include "compiler.h"
#include "front_end/build_options.h"
#include "spirv/input.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace weft
{

/* NULL when the module breaks a rule or needs what `target` does not have; `log` gets lines
 * "<spirv>:word N: error: text" then, and warnings either way. */
std::unique_ptr<llvm::Module> readSpirv(const SpirvInput &input, const BuildOptions &options,
					const weft_target &target, llvm::LLVMContext &context,
					std::string &log);

} // namespace weft

#endif

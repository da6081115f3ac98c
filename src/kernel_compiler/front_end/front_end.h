/* SPDX-License-Identifier: MIT
 *
 * OpenCL C to LLVM IR: Clang, in-process. The module is for spir64, so that nothing of the host is
 * in it but what the target description says.
 */
#ifndef WEFT_FRONT_END_H
#define WEFT_FRONT_END_H

#include "compiler.h"
#include "front_end/build_options.h"
#include "front_end/source_files.h"
#include "front_end/source_parts.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace weft
{

/* How diagnostics name the source. */
constexpr char sourceName[] = "<source>";

/* NULL when the source does not compile; `log` gets errors and warnings either way, `surroundings` what
 * the source has seen of the world around it. `options` are what parseBuildOptions made of desc.options; `fastFma` tells whether the CPU
 * has fused multiply-add, and `part` what the module is made of. */
std::unique_ptr<llvm::Module> compileSource(const weft_compile_desc &desc,
					    const BuildOptions &options, bool fastFma,
					    llvm::LLVMContext &context, std::string &log,
					    Surroundings &surroundings, SourcePart &part);

} // namespace weft

#endif

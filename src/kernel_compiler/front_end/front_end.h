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

/* Where what is read from a source goes; borrowed. */
struct SourceOutput {
	llvm::LLVMContext &context;
	std::string &log;           /* errors and warnings, whether the source compiles or not */
	Surroundings &surroundings; /* what the source has seen of the world around it */
	bool fastFma;               /* whether the CPU has fused multiply-add */
	SourcePart &part;           /* what the module is made of */
};

/* NULL when the source does not compile. `options` are what parseBuildOptions made of desc.options. */
std::unique_ptr<llvm::Module> compileSource(const weft_compile_desc &desc,
					    const BuildOptions &options,
					    const SourceOutput &output);

} // namespace weft

#endif

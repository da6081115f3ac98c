/* SPDX-License-Identifier: MIT
 *
 * The stages of reading a module, and the line of the log for what stopped them.
 */
#include "spirv/reader.h"

namespace weft
{

std::unique_ptr<llvm::Module> readSpirv(const SpirvInput &, const BuildOptions &,
					const weft_target &, llvm::LLVMContext &, std::string &log)
{
	log += "<spirv>:word 0: error: SPIR-V cannot be read yet\n";
	return nullptr;
}

} // namespace weft

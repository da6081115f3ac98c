/* SPDX-License-Identifier: MIT
 *
 * Reads a module, and writes the line of the log for what stopped it.
 */
#include "spirv/reader.h"

#include "spirv/module_reader.h"

namespace weft
{

std::unique_ptr<llvm::Module> readSpirv(const SpirvInput &input, const BuildOptions &options,
					const weft_target &, llvm::LLVMContext &context,
					std::string &log)
{
	try {
		return spirv::ModuleReader(input, options, context, log).read();
	} catch (const spirv::Fault &fault) {
		log += "<spirv>:word " + std::to_string(fault.word) + ": error: " + fault.text +
		       "\n";
		return nullptr;
	}
}

} // namespace weft

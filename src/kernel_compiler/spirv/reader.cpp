/* SPDX-License-Identifier: MIT
 *
 * Reads a module, and writes the line of the log for what stopped it.
 */
#include "spirv/reader.h"

#include "spirv/module/module_reader.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"

namespace weft
{

std::unique_ptr<llvm::Module> readSpirv(const SpirvInput &input, const BuildOptions &options,
					const weft_target &, llvm::LLVMContext &context,
					std::string &log)
{
	try {
		auto module = spirv::ModuleReader(input, options, context, log).read();
		bool isDebugBroken = false;
		/* The reader has looked at all rules that it knows of, but those of debug information, which is no reason to
		 * refuse a module. */
		if (!llvm::verifyModule(*module, nullptr, &isDebugBroken)) {
			if (isDebugBroken)
				llvm::StripDebugInfo(*module);
			return module;
		}
		log += "<spirv>:word 0: error: the module breaks a rule that is not looked at "
		       "one by one\n";
		return nullptr;
	} catch (const spirv::Fault &fault) {
		log += "<spirv>:word " + std::to_string(fault.word) + ": error: " + fault.text +
		       "\n";
		return nullptr;
	}
}

} // namespace weft

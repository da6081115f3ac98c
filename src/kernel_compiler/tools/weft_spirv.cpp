/* SPDX-License-Identifier: MIT
 *
 * weft-spirv: the module that the compiler reads a SPIR-V module as, or the log of why it reads none.
 *
 *	weft-spirv module.spv [option...] [ID=VALUE...]
 *
 * The options are those of clBuildProgram; ID=VALUE gives a specialisation constant its value.
 */
#include "spirv/reader.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

int main(int argc, char **argv)
{
	std::string options, log;
	std::deque<uint64_t> numbers;
	std::vector<weft::SpirvSpecialisation> specialisations;
	weft::BuildOptions parsed;
	llvm::LLVMContext context;
	weft_target target = {};

	for (int i = 2; i < argc; i++) {
		auto [id, value] = llvm::StringRef(argv[i]).split('=');
		uint32_t number = 0;
		if (id.getAsInteger(10, number)) {
			options += std::string(argv[i]) + " ";
			continue;
		}
		numbers.push_back(strtoull(value.str().c_str(), nullptr, 0));
		specialisations.push_back(
			{number, {reinterpret_cast<uint8_t *>(&numbers.back()), 8}});
	}
	auto file = llvm::MemoryBuffer::getFileOrSTDIN(argc > 1 ? argv[1] : "-");
	if (!file || !weft::parseBuildOptions(options.c_str(), weft::ForCompile, parsed, log)) {
		llvm::errs() << (file ? log : file.getError().message()) << "\n";
		return 2;
	}
	weft::SpirvInput input = {file->get()->getBufferStart(), file->get()->getBufferSize(),
				  specialisations};
	auto module = weft::readSpirv(input, parsed, target, context, log);
	llvm::outs() << log;
	if (!module)
		return 1;
	module->print(llvm::outs(), nullptr);
	return llvm::verifyModule(*module, &llvm::errs()) ? 3 : 0;
}

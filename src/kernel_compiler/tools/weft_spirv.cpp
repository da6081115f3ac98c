/* SPDX-License-Identifier: MIT
 *
 * weft-spirv: the module that the compiler reads a SPIR-V module as, or the log of why it reads none.
 *
 *	weft-spirv module.spv... [option...] [ID=VALUE...]
 *
 * The options are those of clBuildProgram; ID=VALUE gives a specialisation constant its value. Before each of several modules
 * stands a line with its name. The exit status is the last module's: 0; 1, it is refused; 2, no such file; 3, what is
 * made of it is no module of LLVM's.
 */
#include "spirv/reader.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace
{

struct Request {
	std::string options;
	std::deque<uint64_t> numbers; /* the bytes of `specialisations` */
	std::vector<weft::SpirvSpecialisation> specialisations;
	std::vector<const char *> files;
};

} // namespace

static void parse(const char *argument, Request &request)
{
	auto [id, value] = llvm::StringRef(argument).split('=');
	uint32_t number = 0;

	if (argument[0] == '-' && argument[1]) {
		request.options += std::string(argument) + " ";
	} else if (id.getAsInteger(10, number)) {
		request.files.push_back(argument);
	} else {
		uint64_t &kept = request.numbers.emplace_back();
		value.getAsInteger(0, kept);
		request.specialisations.push_back(
			{number, {reinterpret_cast<uint8_t *>(&kept), sizeof(kept)}});
	}
}

static int read(const char *name, const Request &request, const weft::BuildOptions &options)
{
	llvm::LLVMContext context;
	std::string log;
	auto file = llvm::MemoryBuffer::getFileOrSTDIN(name);

	if (!file) {
		llvm::errs() << name << ": " << file.getError().message() << "\n";
		return 2;
	}
	weft::SpirvInput input = {file->get()->getBufferStart(), file->get()->getBufferSize(),
				  request.specialisations};
	auto module = weft::readSpirv(input, options, {}, context, log);
	llvm::outs() << log;
	if (!module)
		return 1;
	module->print(llvm::outs(), nullptr);
	return llvm::verifyModule(*module, &llvm::errs()) ? 3 : 0;
}

int main(int argc, char **argv)
{
	Request request;
	weft::BuildOptions options;
	std::string log;
	int status = 0;

	for (int i = 1; i < argc; i++)
		parse(argv[i], request);
	if (!weft::parseBuildOptions(request.options.c_str(), weft::ForCompile, options, log)) {
		llvm::errs() << log;
		return 2;
	}
	for (const char *name : request.files) {
		if (request.files.size() > 1)
			llvm::outs() << "--- " << name << "\n";
		status = read(name, request, options);
	}
	return status;
}

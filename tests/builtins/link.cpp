// SPDX-License-Identifier: MIT
//
// link_builtins INPUT OUTPUT: links the built-in functions that a spir64 bitcode file uses into it, and
// makes it code for this machine, so that tests can call its functions. Prints the time that linking took.
#include "link/builtins_library.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <chrono>

using namespace llvm;

int main(int argc, char **argv)
{
	if (argc != 3) {
		errs() << "usage: link_builtins INPUT OUTPUT\n";
		return 2;
	}
	LLVMContext context;
	SMDiagnostic diagnostic;
	std::unique_ptr<Module> module = parseIRFile(argv[1], diagnostic, context);
	if (!module) {
		diagnostic.print(argv[0], errs());
		return 1;
	}
	std::string log;
	auto start = std::chrono::steady_clock::now();
	bool linked = weft::linkBuiltins(*module, weft::Precompiled::None, log);
	std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
	errs() << log;
	if (!linked)
		return 1;
	outs() << "linked in " << format("%.2f", time.count()) << " ms\n";
	module->setTargetTriple(Triple(sys::getProcessTriple()));
	module->setDataLayout("");
	std::error_code error;
	raw_fd_ostream output(argv[2], error);
	if (error) {
		errs() << argv[2] << ": " << error.message() << "\n";
		return 1;
	}
	WriteBitcodeToFile(*module, output);
	return 0;
}

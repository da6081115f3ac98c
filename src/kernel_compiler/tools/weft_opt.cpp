/* SPDX-License-Identifier: MIT
 *
 * weft-opt: LLVM's opt that also knows the passes of PassRegistry.def, and "weft" for all of them:
 *
 *	weft-opt --passes='function(split-at-barriers,print<weft-regions>)' -S kernel.ll
 */
#include "pipeline/pass_registry.h"

#include <llvm/Support/CommandLine.h>

#include <functional>

extern "C" int optMain(int argc, char **argv,
		       llvm::ArrayRef<std::function<void(llvm::PassBuilder &)>> callbacks);

int main(int argc, char **argv)
{
	/* As the compiler does, where --aa-pipeline names no others. */
	llvm::cl::Option *analyses = llvm::cl::getRegisteredOptions().lookup("aa-pipeline");
	static_cast<llvm::cl::opt<std::string> *>(analyses)->setInitialValue(weft::aliasAnalyses);
	return optMain(argc, argv, {weft::registerPasses});
}

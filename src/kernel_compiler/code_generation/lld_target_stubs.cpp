/* SPDX-License-Identifier: MIT
 *
 * lld initialises every target that LLVM was built with. These empty definitions stand for the ones
 * that are neither this machine's nor RISC-V, so that the linker does not take their archives (a hundred
 * megabytes). Inline assembly is refused, so no assembly parser is needed either. Another empty definition
 * stands for Polly: LLVM's link-time optimiser names it, is not used here, and Debian has no archive of it.
 */
#include "llvm/Plugins/PassPlugin.h"

/* NOLINTBEGIN: names are LLVM's */
#define WEFT_FOREIGN_TARGET(name)                                                                  \
	void LLVMInitialize##name##TargetInfo(void);                                               \
	void LLVMInitialize##name##Target(void);                                                   \
	void LLVMInitialize##name##TargetMC(void);                                                 \
	void LLVMInitialize##name##AsmPrinter(void);                                               \
	void LLVMInitialize##name##AsmParser(void);                                                \
	void LLVMInitialize##name##TargetInfo(void)                                                \
	{                                                                                          \
	}                                                                                          \
	void LLVMInitialize##name##Target(void)                                                    \
	{                                                                                          \
	}                                                                                          \
	void LLVMInitialize##name##TargetMC(void)                                                  \
	{                                                                                          \
	}                                                                                          \
	void LLVMInitialize##name##AsmPrinter(void)                                                \
	{                                                                                          \
	}                                                                                          \
	void LLVMInitialize##name##AsmParser(void)                                                 \
	{                                                                                          \
	}

extern "C" {
#include "lld_target_stubs.def"
}
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}, nullptr};
}
/* NOLINTEND */

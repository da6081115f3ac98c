/* SPDX-License-Identifier: MIT
 *
 * LLVM's list of x86's CPUs with their features. Of other machines nothing is listed.
 */
#include "code_generation/cpu_list.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/X86TargetParser.h"

namespace
{

/* Code generation uses these for nothing that a kernel can ask for. */
constexpr llvm::StringRef unused[] = {
	"cldemote", "clflushopt", "clwb",    "clzero",    "enqcmd",    "fsgsbase", "fxsr",
	"hreset",   "invpcid",    "kl",      "lwp",       "movdir64b", "movdiri",  "movrs",
	"mwaitx",   "pconfig",    "pku",     "prefetchi", "prfchw",    "ptwrite",  "rdpid",
	"rdpru",    "rdrnd",      "rdseed",  "serialize", "sgx",       "shstk",    "tsxldtrk",
	"uintr",    "usermsr",    "waitpkg", "wbnoinvd",  "widekl",    "xsave",    "xsavec",
	"xsaveopt", "xsaves",
};

void append(llvm::SmallVectorImpl<char> &text, llvm::StringRef word, char separator)
{
	text.append(word.begin(), word.end());
	text.push_back(separator);
}

} // namespace

namespace weft
{

bool listCpus(const char *cpu, llvm::SmallVectorImpl<char> &text)
{
#if defined(__x86_64__)
	llvm::SmallVector<llvm::StringRef, 128> names;

	if (!cpu) {
		llvm::X86::fillValidCPUArchList(names, true);
		for (llvm::StringRef name : names)
			append(text, name, '\n');
		return true;
	}
	if (llvm::X86::parseArchX86(cpu, true) == llvm::X86::CK_None)
		return false;
	llvm::X86::getFeaturesForCPU(cpu, names);
	for (llvm::StringRef name : names) {
		if (!llvm::is_contained(unused, name) && !name.starts_with("amx-"))
			append(text, name, ' ');
	}
	return true;
#else
	(void)text;
	return !cpu;
#endif
}

} // namespace weft

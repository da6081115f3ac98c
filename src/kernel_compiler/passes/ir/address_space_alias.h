/* SPDX-License-Identifier: MIT
 *
 * An alias analysis for LLVM's passes and ours: private memory, local memory, and global memory with the constants never
 * overlap (OpenCL 3.0, 3.3.1). A generic pointer may lead to each of them. Pointers of the driver (its context, the block of
 * arguments, the memory that it lends for spilled variables) are private ones.
 *
 * A buffer may be a global and a constant argument of one kernel. That the kernel then writes to neither is not said: LLVM
 * would keep all numbers of a filter in registers, which are too few, while a loop of an item can have them from memory at no cost.
 * No pass may cast a pointer from one of these three kinds of memory to another: LLVM's own analysis looks through casts, and then
 * asks about the pointer before the cast.
 *
 * Nothing is said in programs that call to_global, to_local or to_private, since these functions convert every pointer.
 */
#ifndef WEFT_PASSES_ADDRESS_SPACE_ALIAS_H
#define WEFT_PASSES_ADDRESS_SPACE_ALIAS_H

#include <llvm/Analysis/AliasAnalysis.h>

namespace weft
{

class AddressSpaceAliasResult : public llvm::AAResultBase
{
      public:
	explicit AddressSpaceAliasResult(bool spacesHold) : hold(spacesHold)
	{
	}

	bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
			llvm::FunctionAnalysisManager::Invalidator &)
	{
		return false;
	}

	llvm::AliasResult alias(const llvm::MemoryLocation &a, const llvm::MemoryLocation &b,
				llvm::AAQueryInfo &, const llvm::Instruction *) const;
	/* Of gathers and scatters, all of whose addresses are in one space. */
	llvm::ModRefInfo getModRefInfo(const llvm::CallBase *call,
				       const llvm::MemoryLocation &place,
				       llvm::AAQueryInfo &) const;
	llvm::ModRefInfo getModRefInfo(const llvm::CallBase *call, const llvm::CallBase *other,
				       llvm::AAQueryInfo &) const;

      private:
	bool hold;
};

struct AddressSpaceAliasAnalysis : llvm::AnalysisInfoMixin<AddressSpaceAliasAnalysis> {
	using Result = AddressSpaceAliasResult;
	static llvm::AnalysisKey Key;
	Result run(llvm::Function &function, llvm::FunctionAnalysisManager &) const;
};

/* Leaves a mark in a module that calls to_global, to_local or to_private, before these calls are inlined. */
void markPointerConversions(llvm::Module &module);

} // namespace weft

#endif

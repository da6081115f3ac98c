/* SPDX-License-Identifier: MIT
 *
 * Sub-group functions of a widened body: what lanes do together is done on vectors, with the lanes that run. A barrier is
 * no code, since all lanes do one instruction before any lane does the next.
 */
#ifndef WEFT_PASSES_SUBGROUP_OPERATIONS_H
#define WEFT_PASSES_SUBGROUP_OPERATIONS_H

#include "functions/subgroup_functions.h"
#include "lane_code/lane_masks.h"

namespace weft
{

class SubgroupOperations : public LanePart
{
      public:
	using LanePart::LanePart;

	void emit(llvm::CallInst &call, SubgroupFunction what);

      private:
	llvm::Value *ballot(llvm::Value *predicate);
	void emitShuffle(llvm::CallInst &call);
	void emitShuffleTwo(llvm::CallInst &call);
	void emitFirst(llvm::CallInst &call);
	llvm::Value *permuted(llvm::ArrayRef<llvm::Value *> sources, llvm::Value *lanes);
	llvm::Value *permutedInMemory(llvm::ArrayRef<llvm::Value *> sources, llvm::Value *lanes);
	void emitReduction(llvm::CallInst &call, SubgroupFunction what);
	void emitScan(llvm::CallInst &call, SubgroupFunction what);
	llvm::Constant *identities(llvm::CallInst &call, SubgroupFunction what);
	llvm::Value *activeOr(llvm::CallInst &call, llvm::Constant *identity);

	llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> exchanges; /* for shuffles, by element */
};

} // namespace weft

#endif

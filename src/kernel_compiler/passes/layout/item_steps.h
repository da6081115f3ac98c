/* SPDX-License-Identifier: MIT
 *
 * By how much numbers and addresses grow from one work-item to the next along x, or another dimension, modulo what fits them.
 * Valid for kernels in the form of one work-item, before values that live across barriers go to memory.
 */
#ifndef WEFT_PASSES_ITEM_STEPS_H
#define WEFT_PASSES_ITEM_STEPS_H

#include "ir/uniformity.h"
#include "layout/id_rows.h"

#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace weft
{

class ItemSteps
{
      public:
	/* With `isMostly` by how much they grow where nothing is clamped or wrapped around. Along x of a kernel with interchanged ids it is from
	 * row to row. */
	ItemSteps(llvm::Function &kernel, const Uniformity &uniformity, unsigned dimension = 0,
		  bool isMostly = false);
	/* Where some steps are known. */
	ItemSteps(llvm::Function &kernel, const Uniformity &uniformity, KnownSteps known,
		  unsigned dimension = 0);

	/* In bytes or units; nullopt where it is no constant. */
	std::optional<int64_t> of(const llvm::Value &value) const;

      private:
	using Step = std::optional<int64_t>;

	void computeAll(llvm::Function &kernel);
	bool isReady(const llvm::Instruction &instruction) const;
	Step compute(const llvm::Instruction &instruction) const;
	Step ofPhi(const llvm::PHINode &phi) const;
	Step ofAddress(const llvm::GetElementPtrInst &address) const;
	Step ofArithmetic(const llvm::Instruction &instruction) const;
	bool comparesSteps(const llvm::Value &condition) const;
	Step ofClamp(const llvm::Instruction &instruction) const;

	const Uniformity &uniformity;
	const unsigned dimension;
	const bool isMostly;
	KnownSteps known;
	/* Of values that differ between work-items; those that nothing is known of yet are not in it. */
	llvm::DenseMap<const llvm::Value *, Step> steps;
};

} // namespace weft

#endif

/* SPDX-License-Identifier: MIT
 *
 * Atomic updates of one place by all lanes that run: one operation with the sum, or what else it is, of the lanes' values. What
 * each lane would have found there, had the lanes come one after the other, is what that operation found and the sum of the
 * lanes before.
 */
#ifndef WEFT_PASSES_UNIFORM_UPDATES_H
#define WEFT_PASSES_UNIFORM_UPDATES_H

#include "lane_code/lane_masks.h"

namespace weft
{

class UniformUpdates : public LanePart
{
      public:
	using LanePart::LanePart;

	/* Expects isUniformUpdate. */
	void emit(llvm::AtomicRMWInst &update);

      private:
	llvm::Value *together(const llvm::AtomicRMWInst &update, llvm::Value *lanes);
	llvm::Value *sumsBefore(llvm::Value *lanes);
	llvm::Value *found(llvm::AtomicRMWInst &update, llvm::Value *together);
};

} // namespace weft

#endif

/* SPDX-License-Identifier: MIT
 *
 * Accesses of images in a widened body: one call of weft_image_functions for all lanes. Coordinates go to memory in rows, one
 * for each coordinate, texels come from it in rows, one for each channel.
 */
#ifndef WEFT_PASSES_IMAGE_OPERATIONS_H
#define WEFT_PASSES_IMAGE_OPERATIONS_H

#include "lane_code/lane_masks.h"

#include <array>

namespace weft
{

class ImageOperations : public LanePart
{
      public:
	using LanePart::LanePart;

	/* False: it is another instruction, or one that lanes do with different images. A channel that is taken out of a texel is
	 * a row of what was read. */
	bool emit(llvm::Instruction &instruction);

      private:
	using Channels = std::array<llvm::Value *, 4>;

	void emitAccess(llvm::CallInst &call);
	bool emitChannel(llvm::ExtractElementInst &extract);
	void storeCoordinates(llvm::CallInst &call);
	void storeTexels(llvm::Value *texel);
	void loadTexels(llvm::CallInst &call);
	llvm::Value *channelOf(llvm::Value *texel, unsigned number);
	void createRows();
	llvm::Value *rowAt(llvm::Value *rows, unsigned number);

	/* Four rows each; made when they are first needed. */
	llvm::AllocaInst *coordinates = nullptr, *texels = nullptr;
	llvm::DenseMap<llvm::Value *, Channels> channels; /* by the call that has read them */
};

} // namespace weft

#endif

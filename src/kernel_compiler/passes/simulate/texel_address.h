/* SPDX-License-Identifier: MIT
 *
 * Where in memory an access of an image goes, nearly: to the texel of level 0 that is nearest, with coordinates clamped to the image.
 */
#ifndef WEFT_PASSES_TEXEL_ADDRESS_H
#define WEFT_PASSES_TEXEL_ADDRESS_H

#include <llvm/IR/IRBuilder.h>

namespace weft
{

struct TexelPlace {
	llvm::Value *address;
	llvm::Value *size; /* bytes, an i64 */
};

/* Expects a call of an internal function of images (image_functions.h). */
TexelPlace placeOfTexel(llvm::IRBuilderBase &builder, const llvm::CallBase &access);

} // namespace weft

#endif

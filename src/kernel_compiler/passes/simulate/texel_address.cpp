/* SPDX-License-Identifier: MIT
 *
 * Coordinates to an offset, dimension by dimension.
 */
#include "simulate/texel_address.h"

#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "kernel_abi.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned texelBytesShift = 16; /* of a format word: weft_image_format() */

/* A coordinate's dimension. */
struct Axis {
	uint64_t size, pitch; /* offsets of fields; a pitch of 0 stands for the texel's bytes */
	bool isLayer;
};

constexpr Axis columns = {offsetof(weft_image, width), 0, false};
constexpr Axis rows = {offsetof(weft_image, height), offsetof(weft_image, row_pitch), false};
constexpr Axis slices = {offsetof(weft_image, depth), offsetof(weft_image, slice_pitch), false};
constexpr Axis layers = {offsetof(weft_image, layers), offsetof(weft_image, slice_pitch), true};

SmallVector<Axis, 3> axesOf(uint64_t shape)
{
	switch (shape) {
	case WEFT_IMAGE_1D_ARRAY:
		return {columns, layers};
	case WEFT_IMAGE_2D:
		return {columns, rows};
	case WEFT_IMAGE_2D_ARRAY:
		return {columns, rows, layers};
	case WEFT_IMAGE_3D:
		return {columns, rows, slices};
	default:
		return {columns};
	}
}

uint64_t shapeOf(const CallBase &access)
{
	unsigned place = samplerOf(access) ? 2 : 1;
	const auto *known = dyn_cast<ConstantInt>(access.getArgOperand(place));
	return known ? known->getZExtValue() & WEFT_IMAGE_SHAPE_MASK : uint64_t(WEFT_IMAGE_1D);
}

/* A coordinate as the number of a texel, which may lie outside of the image. */
Value *numberOf(IRBuilderBase &builder, const CallBase &access, Value *coordinate, Value *size,
		bool isLayer)
{
	if (!coordinate->getType()->isFloatTy())
		return coordinate;
	Value *normalized = builder.CreateIsNotNull(
		builder.CreateAnd(samplerOf(access), builder.getInt64(WEFT_SAMPLER_NORMALIZED)));
	Value *scaled =
		builder.CreateFMul(coordinate, builder.CreateUIToFP(size, coordinate->getType()));
	Value *place = isLayer ? coordinate : builder.CreateSelect(normalized, scaled, coordinate);
	return builder.CreateIntrinsic(Intrinsic::fptosi_sat,
				       {builder.getInt32Ty(), place->getType()}, {place});
}

} // namespace

TexelPlace placeOfTexel(IRBuilderBase &builder, const CallBase &access)
{
	Type *number = builder.getInt64Ty();
	Value *image = imageOf(access);
	Value *format =
		loadInvariant(builder, builder.getInt32Ty(), image, offsetof(weft_image, format));
	Value *bytes = builder.CreateZExt(
		builder.CreateAnd(builder.CreateLShr(format, texelBytesShift), 0xff), number);
	Value *offset = builder.getInt64(0);
	for (auto [i, axis] : enumerate(axesOf(shapeOf(access)))) {
		Value *size = loadInvariant(builder, builder.getInt32Ty(), image, axis.size);
		Value *place = numberOf(builder, access, coordinateOf(access, unsigned(i)), size,
					axis.isLayer);
		Value *last = builder.CreateSub(size, builder.getInt32(1));
		place = builder.CreateBinaryIntrinsic(Intrinsic::smax, place, builder.getInt32(0));
		place = builder.CreateBinaryIntrinsic(Intrinsic::umin, place, last);
		Value *pitch =
			axis.pitch ? loadInvariant(builder, number, image, axis.pitch) : bytes;
		offset = builder.CreateAdd(
			offset, builder.CreateMul(builder.CreateZExt(place, number), pitch));
	}
	Value *data = loadInvariant(builder, builder.getPtrTy(GlobalSpace), image,
				    offsetof(weft_image, data));
	return {builder.CreatePtrAdd(data, offset), bytes};
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * Calls of weft_image_functions, and their rows.
 */
#include "lane_code/image_operations.h"

#include "functions/image_functions.h"
#include "lane_code/lane_vectors.h"

#include <llvm/Analysis/VectorUtils.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t elementBytes = 4; /* of a coordinate and of a channel */

/* The number of the channel, if it is known. */
std::optional<unsigned> channelNumber(const Value *number)
{
	const auto *known = dyn_cast<ConstantInt>(number);
	if (!known || known->getValue().uge(imageChannels))
		return std::nullopt;
	return unsigned(known->getZExtValue());
}

bool onlyTakesChannels(const User &user)
{
	const auto *extract = dyn_cast<ExtractElementInst>(&user);
	return extract && channelNumber(extract->getIndexOperand());
}

} // namespace

bool ImageOperations::emit(Instruction &instruction)
{
	if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
		return emitChannel(*extract);
	if (!imageCallOf(instruction))
		return false;
	auto &call = cast<CallInst>(instruction);
	bool isOneImage = all_of(call.args(), [&](const Use &use) {
		return !isUniformOperand(call, use) || shapes.isUniform(use);
	});
	if (isOneImage)
		emitAccess(call);
	return isOneImage;
}

void ImageOperations::emitAccess(CallInst &call)
{
	createRows();
	storeCoordinates(call);
	if (Value *texel = writtenTexelOf(call))
		storeTexels(texel);
	callImageFunction(
		builder, call, width, [&](Value *operand) { return values.scalarOf(operand); },
		coordinates, texels);
	if (!call.getType()->isVoidTy())
		loadTexels(call);
}

bool ImageOperations::emitChannel(ExtractElementInst &extract)
{
	auto found = channels.find(extract.getVectorOperand());
	std::optional<unsigned> number = channelNumber(extract.getIndexOperand());
	if (found == channels.end() || !number)
		return false;
	values.setVector(&extract, found->second[*number]);
	return true;
}

void ImageOperations::createRows()
{
	if (coordinates)
		return;
	auto *type = ArrayType::get(builder.getInt32Ty(), imageCoordinates * width);
	coordinates = body.newVariable(type, "coordinates");
	texels = body.newVariable(type, "texels");
	coordinates->setAlignment(Align(64));
	texels->setAlignment(Align(64));
}

Value *ImageOperations::rowAt(Value *rows, unsigned number)
{
	return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), rows,
						  elementBytes * width * number);
}

static Align alignOfRows(unsigned width)
{
	return Align(std::min<uint64_t>(64, elementBytes * width));
}

/* Lanes that do not run read from anywhere, which is safe, and write to where no image is. */
void ImageOperations::storeCoordinates(CallInst &call)
{
	Value *mask = writtenTexelOf(call) ? masks.ofCurrent() : nullptr;
	for (unsigned i = 0; i < imageCoordinates; i++) {
		Value *row = values.vectorOf(coordinateOf(call, i));
		if (mask && i == 0)
			row = builder.CreateSelect(mask, row,
						   Constant::getAllOnesValue(row->getType()));
		builder.CreateAlignedStore(row, rowAt(coordinates, i), alignOfRows(width));
	}
}

void ImageOperations::storeTexels(Value *texel)
{
	for (unsigned i = 0; i < imageChannels; i++)
		builder.CreateAlignedStore(channelOf(texel, i), rowAt(texels, i),
					   alignOfRows(width));
}

/* One channel of all lanes: from where it was put into the texel, if that can be seen. */
Value *ImageOperations::channelOf(Value *texel, unsigned number)
{
	auto found = channels.find(texel);
	if (found != channels.end())
		return found->second[number];
	if (shapes.isUniform(texel))
		return repeated(builder,
				builder.CreateExtractElement(values.scalarOf(texel), number),
				width);
	auto *insert = dyn_cast<InsertElementInst>(texel);
	std::optional<unsigned> place =
		insert ? channelNumber(insert->getOperand(2)) : std::nullopt;
	if (place)
		return *place == number ? values.vectorOf(insert->getOperand(1))
					: channelOf(insert->getOperand(0), number);
	return builder.CreateShuffleVector(values.vectorOf(texel),
					   createStrideMask(number, imageChannels, width));
}

void ImageOperations::loadTexels(CallInst &call)
{
	Type *row = body.vectorType(call.getType()->getScalarType());
	Channels loaded;
	for (unsigned i = 0; i < imageChannels; i++)
		loaded[i] = builder.CreateAlignedLoad(row, rowAt(texels, i), alignOfRows(width));
	channels[&call] = loaded;
	if (all_of(call.users(), [](const User *user) { return onlyTakesChannels(*user); }))
		return;
	values.setVector(&call,
			 builder.CreateShuffleVector(concatenateVectors(builder, loaded),
						     createInterleaveMask(width, imageChannels)));
}

} // namespace weft

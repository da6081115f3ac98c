/* SPDX-License-Identifier: MIT
 *
 * Permutations, register by register: each register of the result is chosen from those of the sources, of one or two by an
 * instruction, of more by the bits of the numbers above.
 */
#include "lane_code/lane_permutations.h"

#include "costs/vector_registers.h"
#include "lane_code/lane_vectors.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned avx2Bits = 256, avx512Bits = 512, leastBits = 128;
constexpr unsigned mostShuffles = 16;

unsigned lanesIn(const Value *vector)
{
	return cast<FixedVectorType>(vector->getType())->getNumElements();
}

class Permutation
{
      public:
	Permutation(IRBuilder<> &theBuilder, unsigned theBits) : builder(theBuilder), bits(theBits)
	{
	}

	Value *of(ArrayRef<Value *> sources, Value *numbers)
	{
		unsigned element = sources[0]->getType()->getScalarSizeInBits();
		unsigned lanes = lanesIn(sources[0]);
		if (bits == avx2Bits && element == 64)
			return ofHalves(sources, numbers);
		if (bits == avx2Bits && lanes == avx2Bits / 32 / 2)
			return ofShort(sources, numbers);
		unsigned size = std::min(lanes, bits / element);
		SmallVector<Value *, 8> registers;
		for (Value *source : sources) {
			for (unsigned first = 0; first < lanes; first += size)
				registers.push_back(partOf(builder, source, lanes, first, size));
		}
		if (size * element < leastBits || registers.size() * lanes / size > mostShuffles)
			return nullptr;
		SmallVector<Value *, 4> parts;
		for (unsigned first = 0; first < lanes; first += size) {
			Value *part = partOf(builder, numbers, lanes, first, size);
			part = builder.CreateZExtOrTrunc(part, registers[0]->getType());
			parts.push_back(chosen(registers, part));
		}
		return concatenateVectors(builder, parts);
	}

      private:
	/* AVX2 permutes elements of 64 bits by constants alone: they go as two. */
	Value *ofHalves(ArrayRef<Value *> sources, Value *numbers)
	{
		unsigned lanes = lanesIn(sources[0]);
		auto *type = FixedVectorType::get(builder.getInt32Ty(), 2 * lanes);
		SmallVector<Value *, 2> halves;
		for (Value *source : sources)
			halves.push_back(builder.CreateBitCast(source, type));
		Value *pairs = builder.CreateShl(spread(builder, numbers, 2), 1);
		SmallVector<uint32_t, 64> isHigh;
		for (unsigned i = 0; i < 2 * lanes; i++)
			isHigh.push_back(i % 2);
		pairs = builder.CreateOr(pairs,
					 ConstantDataVector::get(builder.getContext(), isHigh));
		Value *result = of(halves, pairs);
		return result ? builder.CreateBitCast(result, sources[0]->getType()) : nullptr;
	}

	/* Half a register: both sources, or one of them twice, fill it. */
	Value *ofShort(ArrayRef<Value *> sources, Value *numbers)
	{
		unsigned lanes = lanesIn(sources[0]);
		Value *both = concatenateVectors(builder, {sources.front(), sources.back()});
		Value *result = one(both, concatenateVectors(builder, {numbers, numbers}));
		return partOf(builder, result, 2 * lanes, 0, lanes);
	}

	Value *chosen(ArrayRef<Value *> registers, Value *numbers)
	{
		if (registers.size() == 1)
			return one(registers[0], numbers);
		if (registers.size() == 2 && bits == avx512Bits)
			return two(registers[0], registers[1], numbers);
		size_t half = registers.size() / 2;
		Value *low = chosen(registers.take_front(half), numbers);
		Value *high = chosen(registers.drop_front(half), numbers);
		Value *bit = ConstantInt::get(numbers->getType(), half * lanesIn(numbers));
		return builder.CreateSelect(
			builder.CreateIsNotNull(builder.CreateAnd(numbers, bit)), high, low);
	}

	Value *one(Value *source, Value *numbers)
	{
		bool isLong = source->getType()->getScalarSizeInBits() == 64;
		switch (source->getType()->getPrimitiveSizeInBits()) {
		case avx512Bits:
			return builder.CreateIntrinsic(
				isLong ? Intrinsic::x86_avx512_permvar_di_512
				       : Intrinsic::x86_avx512_permvar_si_512,
				{source, numbers});
		case avx2Bits:
			return builder.CreateIntrinsic(isLong ? Intrinsic::x86_avx512_permvar_di_256
							      : Intrinsic::x86_avx2_permd,
						       {source, numbers});
		default:
			return two(source, source, numbers);
		}
	}

	Value *two(Value *low, Value *high, Value *numbers)
	{
		static constexpr Intrinsic::ID ofInt[] = {Intrinsic::x86_avx512_vpermi2var_d_128,
							  Intrinsic::x86_avx512_vpermi2var_d_256,
							  Intrinsic::x86_avx512_vpermi2var_d_512};
		static constexpr Intrinsic::ID ofLong[] = {Intrinsic::x86_avx512_vpermi2var_q_128,
							   Intrinsic::x86_avx512_vpermi2var_q_256,
							   Intrinsic::x86_avx512_vpermi2var_q_512};
		unsigned form =
			Log2_32(unsigned(low->getType()->getPrimitiveSizeInBits()) / leastBits);
		bool isLong = low->getType()->getScalarSizeInBits() == 64;
		return builder.CreateIntrinsic((isLong ? ofLong : ofInt)[form],
					       {low, numbers, high});
	}

	IRBuilder<> &builder;
	unsigned bits;
};

} // namespace

Value *permutedByInstructions(IRBuilder<> &builder, ArrayRef<Value *> sources, Value *numbers)
{
	unsigned bits = permutedBits(*builder.GetInsertBlock()->getModule());
	return bits ? Permutation(builder, bits).of(sources, numbers) : nullptr;
}

} // namespace weft

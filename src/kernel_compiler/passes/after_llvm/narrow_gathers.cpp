/* SPDX-License-Identifier: MIT
 *
 * narrow-gathers: what is known modulo 2^32 of indices is enough where all that is accessed lies within 2^31 bytes.
 */
#include "after_llvm/narrow_gathers.h"

#include "after_llvm/scattered_access.h"
#include "functions/internal_functions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft
{

namespace
{

constexpr unsigned mostDepth = 12;
constexpr uint64_t mostScale = 8; /* what an address may multiply an index by */

/* base + scale * index */
struct Place {
	Value *base;
	Value *index; /* of 32 bits, or narrower */
	uint64_t scale;
};

/* The sum that is added to a base: each value times a factor. */
struct Parts {
	SmallMapVector<Value *, APInt, 4> vectors, scalars;
	APInt constant = APInt(64, 0);
	bool startsInObject = false; /* the base is an address in the object that is accessed */
	bool hasOneStep = false;     /* one alone is from there to another, by the vectors */

	/* Returns the base, or NULL. */
	Value *collect(Value &pointers, const DataLayout &layout)
	{
		unsigned steps = 0;
		Value *base = &pointers;
		while (auto *step = dyn_cast<GEPOperator>(base)) {
			if (!base->getType()->isVectorTy() && startsInObject)
				break;
			SmallMapVector<Value *, APInt, 4> added;
			APInt fixed(64, 0);
			if (!step->collectOffset(layout, 64, added, fixed))
				return nullptr;
			constant += fixed;
			bool hasVectors = false, hasScalars = !fixed.isZero();
			for (auto &[value, factor] : added) {
				bool isVector = value->getType()->isVectorTy();
				(isVector ? hasVectors : hasScalars) = true;
				auto &list = isVector ? vectors : scalars;
				list.try_emplace(value, APInt(64, 0)).first->second += factor;
				if (value->getType()->getScalarSizeInBits() != 64)
					return nullptr;
			}
			startsInObject = step->isInBounds();
			steps += hasVectors ? 1 : 0;
			hasOneStep = hasVectors ? startsInObject && !hasScalars && steps == 1
						: hasOneStep;
			base = step->getPointerOperand();
		}
		return steps > 0 && !base->getType()->isVectorTy() ? base : nullptr;
	}
};

class GatherNarrower
{
      public:
	GatherNarrower(Function &function)
	    : layout(function.getDataLayout()), entry(function.getEntryBlock())
	{
	}

	void run(const ScatteredAccess &access)
	{
		Value *pointers = access.pointers();
		if (narrowWords(access))
			return;
		std::optional<Place> place = readExtended(pointers, *access.call);
		if (place && isBeside(*pointers, *access.call))
			return;
		if (!place)
			place = readBounded(pointers);
		if (!place)
			return;
		IRBuilder<> builder(access.call);
		auto lanes = cast<FixedVectorType>(pointers->getType())->getNumElements();
		Value *index = builder.CreateSExt(
			place->index, FixedVectorType::get(builder.getInt64Ty(), lanes));
		access.call->setArgOperand(
			access.place,
			builder.CreateGEP(builder.getIntNTy(unsigned(8 * place->scale)),
					  place->base, index));
		replaced.push_back(pointers);
	}

	/* Deletes what is not needed any more; until then the walk may meet it again. */
	void finish()
	{
		RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
	}

      private:
	/* Of bytes and shorts by aligned units around them, of 2, 4 or 8 bytes: units are counted from that around the base, and which part
	 * of its unit an element is follows from the lower bits. False: it is none of these. */
	bool narrowWords(const ScatteredAccess &access)
	{
		auto *words = dyn_cast<IntrinsicInst>(access.pointers());
		const APInt *mask = nullptr;
		if (!words || words->getIntrinsicID() != Intrinsic::ptrmask ||
		    !match(words->getArgOperand(1), m_APInt(mask)) || !mask->isNegatedPowerOf2() ||
		    (-*mask).ugt(mostScale))
			return false;
		const uint64_t unit = (-*mask).getZExtValue();
		Value *pointers = words->getArgOperand(0);
		std::optional<Place> place = readExtended(pointers, *access.call);
		if (!place || place->scale > std::min<uint64_t>(unit, 2))
			return false;
		IRBuilder<> builder(access.call);
		auto *pointerType = cast<VectorType>(pointers->getType());
		auto *type = VectorType::get(builder.getInt32Ty(), pointerType->getElementCount());
		auto *wide = VectorType::get(builder.getInt64Ty(), pointerType->getElementCount());
		const unsigned size = Log2_64(unit), shift = place->scale == 2 ? 1 : 0;
		Value *index = builder.CreateSExt(place->index, type);
		Value *start = builder.CreateTrunc(
			builder.CreatePtrToInt(place->base, builder.getInt64Ty()),
			builder.getInt32Ty());
		auto splat = [&](Value *number) {
			return builder.CreateVectorSplat(type->getElementCount(), number);
		};
		Value *within = builder.CreateShl(
			builder.CreateAnd(index,
					  splat(builder.getInt32(uint32_t(unit - 1) >> shift))),
			shift);
		Value *carry = builder.CreateLShr(
			builder.CreateAdd(within, splat(builder.CreateAnd(start, unit - 1))), size);
		Value *word = builder.CreateAdd(builder.CreateAShr(index, size - shift), carry);
		Value *base = builder.CreateIntrinsic(
			Intrinsic::ptrmask, {place->base->getType(), builder.getInt64Ty()},
			{place->base, builder.getInt64(0 - unit)});
		access.call->setArgOperand(access.place,
					   builder.CreateGEP(builder.getIntNTy(unsigned(8 * unit)),
							     base, builder.CreateSExt(word, wide)));
		replaced.push_back(words);
		replaceLowBits(*pointers, *access.call,
			       builder.CreateAdd(builder.CreateShl(index, shift), splat(start)));
		return true;
	}

	/* Numbers of the addresses modulo 2^32, in the block of the access behind it. */
	void replaceLowBits(Value &pointers, const Instruction &access, Value *low)
	{
		for (User *number : pointers.users()) {
			if (!isa<PtrToIntInst>(number))
				continue;
			for (User *user : number->users()) {
				auto *cut = dyn_cast<TruncInst>(user);
				if (!cut || cut->getType() != low->getType() ||
				    cut->getParent() != access.getParent() ||
				    !access.comesBefore(cut))
					continue;
				cut->replaceAllUsesWith(low);
				replaced.push_back(cut);
			}
		}
	}

	/* Whether code generation sees the whole form already, in the block of the access. */
	static bool isBeside(const Value &pointers, const Instruction &access)
	{
		const auto &step = cast<GetElementPtrInst>(pointers);
		const auto *index = dyn_cast<SExtInst>(step.getOperand(1));
		return step.getParent() == access.getParent() && index &&
		       !step.getPointerOperand()->getType()->isVectorTy() &&
		       index->getParent() == access.getParent();
	}

	/* Whether it is a step that all lanes share, from addresses of their own. */
	static bool isSharedStep(const Value &pointers)
	{
		const auto *step = dyn_cast<GetElementPtrInst>(&pointers);
		return step && step->getNumOperands() == 2 &&
		       step->getPointerOperand()->getType()->isVectorTy() &&
		       !step->getOperand(1)->getType()->isVectorTy();
	}

	/* A scalar address and an index that was extended, whatever it leads to; and steps from there that all lanes share, as to the
	 * next element. */
	std::optional<Place> readExtended(Value *pointers, Instruction &access)
	{
		if (isSharedStep(*pointers)) {
			auto &shared = *cast<GetElementPtrInst>(pointers);
			std::optional<Place> place =
				readExtended(shared.getPointerOperand(), access);
			if (place)
				place->base = IRBuilder<>(&access).CreateGEP(
					shared.getSourceElementType(), place->base,
					shared.getOperand(1));
			return place;
		}
		auto *step = dyn_cast<GetElementPtrInst>(pointers);
		if (!step || step->getNumOperands() != 2)
			return std::nullopt;
		const uint64_t unit = layout.getTypeAllocSize(step->getSourceElementType());
		uint64_t scale = unit; /* of what is extended */
		Value *base = step->getPointerOperand();
		Value *index = step->getOperand(1), *inner = nullptr;
		uint64_t back = 0;
		if (match(index,
			  m_AShr(m_Shl(m_Value(inner), m_SpecificInt(32)), m_ConstantInt(back))) &&
		    back <= 32 && back >= 29 && bitsOf(inner) == 64)
			scale <<= 32 - back;
		else if (!match(index, m_ZExtOrSExt(m_Value(inner))) || bitsOf(inner) > 32)
			return std::nullopt;
		if (scale > mostScale || !isPowerOf2_64(scale))
			return std::nullopt;
		if (base->getType()->isVectorTy())
			return readLaneSteps(*base, *index, unit, access);
		if (bitsOf(inner) == 64)
			return Place{base, narrowed(inner, 0), scale};
		if (match(index, m_SExtLike(m_Value())))
			return Place{base, inner, scale};
		return readUnsigned(*base, *inner, scale, access);
	}

	/* An index of 32 bits without sign, as signed from the middle of what it may lead to. A shorter one is positive. */
	Place readUnsigned(Value &base, Value &index, uint64_t scale, Instruction &access)
	{
		constexpr uint64_t middle = uint64_t(1) << 31;
		IRBuilder<> builder(&access);
		auto *type =
			VectorType::get(builder.getInt32Ty(), cast<VectorType>(index.getType()));
		if (bitsOf(&index) < 32)
			return {&base, builder.CreateZExt(&index, type), scale};
		Value *moved = builder.CreateXor(&index, ConstantInt::get(type, middle));
		auto *instruction = dyn_cast<Instruction>(&base);
		BasicBlock::iterator place = entry.getFirstNonPHIOrDbgOrAlloca();
		if (instruction)
			place = instruction->getInsertionPointAfterDef().value_or(
				access.getIterator());
		builder.SetInsertPoint(place->getParent(), place);
		return {builder.CreateGEP(builder.getInt8Ty(), &base,
					  builder.getInt64(middle * scale)),
			moved, scale};
	}

	/* From an address of each lane, a constant number of elements from that of all: that number is added to the index, if the
	 * sum fits 32 bits, too. */
	std::optional<Place> readLaneSteps(Value &bases, Value &index, uint64_t scale,
					   Instruction &access)
	{
		auto *step = dyn_cast<GetElementPtrInst>(&bases);
		auto *offsets = step && step->getNumOperands() == 2 &&
						!step->getPointerOperand()->getType()->isVectorTy()
					? dyn_cast<ConstantDataVector>(step->getOperand(1))
					: nullptr;
		if (!offsets || bitsOf(offsets) != 64)
			return std::nullopt;
		const auto size = int64_t(layout.getTypeAllocSize(step->getSourceElementType()));
		const ConstantRange range = computeConstantRangeIncludingKnownBits(
			&index, true, SimplifyQuery(layout, &access));
		SmallVector<Constant *, 32> steps;
		IRBuilder<> builder(&access);
		for (unsigned lane = 0; lane < offsets->getNumElements(); lane++) {
			int64_t bytes = 0;
			if (MulOverflow(int64_t(offsets->getElementAsInteger(lane)), size, bytes) ||
			    bytes % int64_t(scale) != 0)
				return std::nullopt;
			const APInt count(64, uint64_t(bytes / int64_t(scale)), true);
			if (!count.isSignedIntN(32) || range.add(count).getMinSignedBits() > 32)
				return std::nullopt;
			steps.push_back(builder.getInt(count.trunc(32)));
		}
		Value *sum = builder.CreateAdd(narrowed(&index, 0), ConstantVector::get(steps));
		return Place{step->getPointerOperand(), sum, scale};
	}

	/* Sums of scalars and vectors that lead from an address within a small object to others in it. */
	std::optional<Place> readBounded(Value *pointers)
	{
		auto found = places.find(pointers);
		if (found != places.end())
			return found->second;
		Parts parts;
		Value *base = parts.collect(*pointers, layout);
		std::optional<Place> place;
		if (base && isa<Instruction>(pointers) && isInSmallObject(*base) &&
		    (parts.startsInObject || !isa<PHINode, SelectInst, IntToPtrInst>(base)))
			place = join(*base, parts, *cast<Instruction>(pointers));
		places[pointers] = place;
		return place;
	}

	/* The scalar part moves the base, if the vector part is known to fit 32 bits by itself: it is a step within the object. */
	Place join(Value &base, const Parts &parts, Instruction &place)
	{
		IRBuilder<> builder(&place);
		auto count = cast<VectorType>(place.getType())->getElementCount();
		uint64_t unit = mostScale;
		for (auto &[value, factor] : parts.vectors)
			unit |= factor.getZExtValue();
		unit = unit & -unit;
		Value *index = nullptr, *shared = builder.getInt64(parts.constant.getZExtValue());
		for (auto &[value, factor] : parts.vectors) {
			Constant *number = ConstantVector::getSplat(
				count, builder.getInt32(uint32_t(factor.getZExtValue() / unit)));
			Value *part = builder.CreateMul(narrowed(value, 0), number);
			index = index ? builder.CreateAdd(index, part) : part;
		}
		for (auto &[value, factor] : parts.scalars)
			shared = builder.CreateAdd(
				shared,
				builder.CreateMul(value, builder.getInt64(factor.getZExtValue())));
		bool isMoved = !isa<Constant>(shared) || !cast<Constant>(shared)->isNullValue();
		if (isMoved && parts.hasOneStep)
			return {builder.CreateGEP(builder.getInt8Ty(), &base, shared), index, unit};
		if (!isMoved)
			return {&base, index, unit};
		index = builder.CreateMul(
			index, ConstantVector::getSplat(count, builder.getInt32(uint32_t(unit))));
		shared = builder.CreateTrunc(shared, builder.getInt32Ty());
		return {&base, builder.CreateAdd(index, builder.CreateVectorSplat(count, shared)),
			1};
	}

	static bool isInSmallObject(const Value &address)
	{
		return address.getType()->getPointerAddressSpace() == LocalSpace ||
		       isa<AllocaInst, GlobalVariable>(getUnderlyingObject(&address));
	}

	static unsigned bitsOf(const Value *value)
	{
		return value->getType()->getScalarSizeInBits();
	}

	/* The value modulo 2^32, behind where it is computed. */
	Value *narrowed(Value *value, unsigned depth)
	{
		auto *type = VectorType::get(Type::getInt32Ty(value->getContext()),
					     cast<VectorType>(value->getType()));
		auto *instruction = dyn_cast<Instruction>(value);
		Value *inner = nullptr;
		if (match(value, m_ZExtOrSExt(m_Value(inner))) && bitsOf(inner) == 32)
			return inner;
		if (auto *constant = dyn_cast<Constant>(value))
			return ConstantExpr::getTrunc(constant, type);
		auto found = narrow.find(value);
		if (found != narrow.end())
			return found->second;
		BasicBlock::iterator place = entry.getFirstNonPHIOrDbgOrAlloca();
		if (instruction)
			place = instruction->getInsertionPointAfterDef().value_or(place);
		IRBuilder<> builder(place->getParent(), place);
		Value *result = instruction && depth < mostDepth
					? rebuilt(builder, *instruction, type, depth)
					: nullptr;
		if (!result)
			result = builder.CreateSExtOrTrunc(value, type);
		return narrow[value] = result;
	}

	Value *rebuilt(IRBuilder<> &builder, Instruction &value, Type *type, unsigned depth)
	{
		Value *left = nullptr, *right = nullptr, *condition = nullptr;
		uint64_t bits = 0;
		if (bitsOf(&value) != 64)
			return nullptr;
		if (match(&value, m_ZExtOrSExt(m_Value(left))) && bitsOf(left) < 32)
			return isa<SExtInst>(value) ? builder.CreateSExt(left, type)
						    : builder.CreateZExt(left, type);
		if (match(&value,
			  m_AShr(m_Shl(m_Value(left), m_SpecificInt(32)), m_ConstantInt(bits))) &&
		    bits <= 32 && bits > 0)
			return builder.CreateShl(narrowed(left, depth + 1), 32 - bits);
		if (match(&value, m_Shl(m_Value(left), m_ConstantInt(bits))) && bits < 32)
			return builder.CreateShl(narrowed(left, depth + 1), bits);
		if (match(&value, m_Select(m_Value(condition), m_Value(left), m_Value(right))))
			return builder.CreateSelect(condition, narrowed(left, depth + 1),
						    narrowed(right, depth + 1));
		auto *operation = dyn_cast<BinaryOperator>(&value);
		if (Value *scalar = getSplatValue(&value))
			return builder.CreateVectorSplat(
				cast<VectorType>(type)->getElementCount(),
				builder.CreateTrunc(scalar, builder.getInt32Ty()));
		if (!operation || operation->isShift() || operation->isIntDivRem())
			return nullptr;
		left = narrowed(operation->getOperand(0), depth + 1);
		right = narrowed(operation->getOperand(1), depth + 1);
		return builder.CreateBinOp(operation->getOpcode(), left, right);
	}

	const DataLayout &layout;
	BasicBlock &entry;
	SmallVector<WeakTrackingVH, 16> replaced;
	DenseMap<Value *, Value *> narrow;
	DenseMap<Value *, std::optional<Place>> places; /* of vectors of addresses */
};

} // namespace

PreservedAnalyses NarrowGathersPass::run(Function &function, FunctionAnalysisManager &)
{
	SmallVector<ScatteredAccess, 16> accesses;
	for (Instruction &instruction : instructions(function)) {
		if (std::optional<ScatteredAccess> access = readScatteredAccess(instruction))
			accesses.push_back(*access);
	}
	if (accesses.empty())
		return PreservedAnalyses::all();
	GatherNarrower narrower(function);
	for (const ScatteredAccess &access : accesses)
		narrower.run(access);
	narrower.finish();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * The places of the first two work-items are computed in front of the loop, as they are in the first iterations of inner loops.
 */
#include "lane_code/row_distances.h"

#include "functions/internal_functions.h"

using namespace llvm;

namespace weft
{

namespace
{

constexpr size_t mostPlaces = 4;
constexpr unsigned mostRepeated = 16; /* operations of a place, one after the other */
constexpr uint64_t halfOfWay = 2048;  /* bytes of the first cache */
/* Bytes from such a multiple: rows that are so much farther or less far apart have their lines in enough places. */
constexpr uint64_t leastBeside = 16;

/* A work-item's value in front of the item loop. */
class FirstPlaces
{
      public:
	FirstPlaces(const ItemLoop &theItem, const LoopInfo &theLoops, Value &theX,
		    IRBuilder<> &theBuilder)
	    : item(theItem), loops(theLoops), x(theX), builder(theBuilder)
	{
	}

	/* NULL: it is made of something else than sums and products. */
	Value *of(Value *value, unsigned steps = 0)
	{
		auto *instruction = dyn_cast<Instruction>(value);
		if (value == item.x)
			return &x;
		if (!instruction || !item.loop->contains(instruction))
			return value;
		if (steps == mostRepeated)
			return nullptr;
		Value *&known = made[value];
		if (known)
			return known;
		const auto *phi = dyn_cast<PHINode>(instruction);
		Value *first = phi ? ofPhi(*phi, steps) : ofOperation(*instruction, steps);
		return made[value] = first;
	}

      private:
	Value *ofPhi(const PHINode &phi, unsigned steps)
	{
		const Loop *loop = loops.getLoopFor(phi.getParent());
		const BasicBlock *before = loop->getLoopPredecessor();
		return loop->getHeader() == phi.getParent() && before
			       ? of(phi.getIncomingValueForBlock(before), steps + 1)
			       : nullptr;
	}

	Value *ofOperation(Instruction &instruction, unsigned steps)
	{
		const bool isRepeated = isa<CastInst, GetElementPtrInst>(instruction) ||
					queryOf(instruction) ||
					(instruction.isBinaryOp() && !instruction.isIntDivRem());
		if (!isRepeated)
			return nullptr;
		SmallVector<Value *, 4> operands;
		for (Value *operand : instruction.operand_values()) {
			operands.push_back(of(operand, steps + 1));
			if (!operands.back())
				return nullptr;
		}
		Instruction *copy = instruction.clone();
		copy->dropPoisonGeneratingAnnotations();
		for (auto [use, operand] : zip_equal(copy->operands(), operands))
			use.set(operand);
		return builder.Insert(copy);
	}

	const ItemLoop &item;
	const LoopInfo &loops;
	Value &x;
	IRBuilder<> &builder;
	DenseMap<const Value *, Value *> made;
};

} // namespace

RowDistances::RowDistances(const ItemLoop &theItem, const LaneShapes &shapes,
			   const LoopInfo &theLoops)
    : item(theItem), loops(theLoops)
{
	for (const BasicBlock *block : shapes.blocks()) {
		const Loop *loop = loops.getLoopFor(block);
		if (loop == item.loop || !loop->isInnermost())
			continue;
		for (const Instruction &instruction : *block) {
			const auto *store = dyn_cast<StoreInst>(&instruction);
			if (store && !shapes.isUniform(store->getPointerOperand()) &&
			    places.size() < mostPlaces)
				places.push_back(const_cast<Value *>(store->getPointerOperand()));
		}
	}
}

Value *RowDistances::areGood(IRBuilder<> &builder) const
{
	Type *number = builder.getInt64Ty();
	Value *second = builder.CreateAdd(item.first, builder.getInt64(1)), *all = nullptr;
	FirstPlaces ofFirst(item, loops, *item.first, builder),
		ofSecond(item, loops, *second, builder);
	for (Value *place : places) {
		Value *a = ofFirst.of(place), *b = a ? ofSecond.of(place) : nullptr;
		if (!b)
			continue;
		Value *distance = builder.CreateSub(builder.CreatePtrToInt(b, number),
						    builder.CreatePtrToInt(a, number));
		Value *beside = builder.CreateAnd(
			builder.CreateAdd(distance, builder.getInt64(leastBeside - 1)),
			builder.getInt64(halfOfWay - 1));
		Value *isGood =
			builder.CreateICmpUGT(beside, builder.getInt64(2 * leastBeside - 2));
		all = all ? builder.CreateAnd(all, isGood) : isGood;
	}
	return all ? builder.CreateFreeze(all) : nullptr; /* shifts may be too far */
}

} // namespace weft

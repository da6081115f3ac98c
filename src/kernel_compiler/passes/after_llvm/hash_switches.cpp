/* SPDX-License-Identifier: MIT
 *
 * hash-switches: hash and displace. A product of the number says which bucket it is in, and, with the bucket's displacement, its place.
 */
#include "after_llvm/hash_switches.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <optional>
#include <vector>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned leastCases = 9;
constexpr unsigned mostCases = 16384;
/* LLVM makes a jump table of a switch with at least one case in so many numbers. */
constexpr uint64_t sparse = 10;
constexpr unsigned mostTrials = 64; /* of factors */

/* Where the numbers of a switch are. */
class HashTable
{
      public:
	/* No table: no factor tells the numbers apart. */
	static std::optional<HashTable> of(ArrayRef<uint64_t> numbers);

	uint64_t factor = 0;
	unsigned bucketBits = 0, placeBits = 0;
	std::vector<uint16_t> displacements;      /* of each bucket */
	std::vector<std::optional<size_t>> place; /* which number is there */

	uint64_t bucketShift() const
	{
		return 64 - bucketBits;
	}
	uint64_t placeShift() const
	{
		return 64 - bucketBits - placeBits;
	}
	uint64_t mask() const
	{
		return (uint64_t(1) << placeBits) - 1;
	}

      private:
	bool fill(ArrayRef<uint64_t> numbers);
	bool put(ArrayRef<uint64_t> numbers, ArrayRef<size_t> bucket, uint16_t &displacement);
};

/* Finds a displacement for which all numbers of the bucket have free places. */
bool HashTable::put(ArrayRef<uint64_t> numbers, ArrayRef<size_t> bucket, uint16_t &displacement)
{
	for (uint64_t moved = 0; moved <= mask(); moved++) {
		SmallVector<uint64_t, 8> places;
		for (size_t index : bucket) {
			const uint64_t at =
				((numbers[index] * factor >> placeShift()) + moved) & mask();
			if (place[at] || is_contained(places, at))
				break;
			places.push_back(at);
		}
		if (places.size() != bucket.size())
			continue;
		for (auto [index, at] : zip_equal(bucket, places))
			place[at] = index;
		displacement = uint16_t(moved);
		return true;
	}
	return false;
}

bool HashTable::fill(ArrayRef<uint64_t> numbers)
{
	std::vector<std::vector<size_t>> buckets(size_t(1) << bucketBits);
	displacements.assign(buckets.size(), 0);
	place.assign(mask() + 1, std::nullopt);
	for (auto [index, number] : enumerate(numbers))
		buckets[number * factor >> bucketShift()].push_back(index);
	std::vector<size_t> order(buckets.size());
	for (auto [index, bucket] : enumerate(order))
		bucket = index;
	/* The full ones first: there is still room for them. */
	sort(order, [&](size_t a, size_t b) {
		return std::pair(buckets[b].size(), a) < std::pair(buckets[a].size(), b);
	});
	return all_of(order, [&](size_t bucket) {
		return put(numbers, buckets[bucket], displacements[bucket]);
	});
}

std::optional<HashTable> HashTable::of(ArrayRef<uint64_t> numbers)
{
	HashTable table;
	table.placeBits = Log2_64_Ceil(numbers.size());
	table.bucketBits = table.placeBits - 1;
	table.factor = 0x9e3779b97f4a7c15; /* odd, its bits without a pattern */
	for (unsigned trial = 0; trial < mostTrials; trial++) {
		if (table.fill(numbers))
			return table;
		table.factor = table.factor * 6364136223846793005 + 2 * trial;
	}
	return std::nullopt;
}

bool isFarApart(const SwitchInst &choice)
{
	const unsigned cases = choice.getNumCases();
	const auto *type = dyn_cast<IntegerType>(choice.getCondition()->getType());
	if (cases < leastCases || cases > mostCases || !type || type->getBitWidth() > 64)
		return false;
	int64_t least = INT64_MAX, most = INT64_MIN; /* LLVM orders the numbers as signed ones */
	for (const auto &row : choice.cases()) {
		const int64_t number = row.getCaseValue()->getSExtValue();
		least = std::min(least, number);
		most = std::max(most, number);
	}
	return uint64_t(most) - uint64_t(least) >= sparse * cases;
}

Value *loadFrom(IRBuilder<> &builder, ArrayRef<Constant *> values, Value *index)
{
	auto *type = ArrayType::get(values[0]->getType(), values.size());
	auto *table = new GlobalVariable(*builder.GetInsertBlock()->getModule(), type, true,
					 GlobalValue::PrivateLinkage,
					 ConstantArray::get(type, values), "weft.hash");
	table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
	return builder.CreateLoad(
		type->getElementType(),
		builder.CreateInBoundsGEP(type, table, {builder.getInt64(0), index}));
}

/* The place that the table has for the number, which may be another number's. */
Value *findPlace(IRBuilder<> &builder, const HashTable &table, Value *number)
{
	SmallVector<Constant *, 32> displacements;
	for (uint16_t displacement : table.displacements)
		displacements.push_back(builder.getInt16(displacement));
	Value *product = builder.CreateMul(number, builder.getInt64(table.factor));
	Value *moved = loadFrom(builder, displacements,
				builder.CreateLShr(product, builder.getInt64(table.bucketShift())));
	Value *place =
		builder.CreateAdd(builder.CreateLShr(product, builder.getInt64(table.placeShift())),
				  builder.CreateZExt(moved, builder.getInt64Ty()));
	return builder.CreateAnd(place, builder.getInt64(table.mask()));
}

/* The number of each place; of an empty one a number that has another place, where it is looked for. */
Value *numberAt(IRBuilder<> &builder, const HashTable &table, ArrayRef<uint64_t> numbers,
		Value *place)
{
	SmallVector<Constant *, 32> row;
	for (std::optional<size_t> index : table.place)
		row.push_back(builder.getInt64(numbers[index.value_or(0)]));
	return loadFrom(builder, row, place);
}

/* `count` ways from `found` in the place of those from `before`, one of which may stay. */
void moveEdges(BasicBlock &target, BasicBlock &before, BasicBlock &found, size_t count, bool stays)
{
	for (PHINode &phi : target.phis()) {
		Value *value = phi.getIncomingValueForBlock(&before);
		while (phi.getBasicBlockIndex(&before) >= 0)
			phi.removeIncomingValue(&before, false);
		for (size_t i = 0; i < count; i++)
			phi.addIncoming(value, &found);
		if (stays)
			phi.addIncoming(value, &before);
	}
}

void hashSwitch(SwitchInst &choice, const HashTable &table, ArrayRef<uint64_t> numbers)
{
	BasicBlock &block = *choice.getParent();
	BasicBlock *otherwise = choice.getDefaultDest();
	BasicBlock *found =
		BasicBlock::Create(block.getContext(), "", block.getParent(), block.getNextNode());
	BasicBlock *never = BasicBlock::Create(block.getContext(), "", block.getParent());
	new UnreachableInst(block.getContext(), never);
	IRBuilder<> builder(&choice);
	Value *number = builder.CreateZExt(choice.getCondition(), builder.getInt64Ty());
	Value *place = findPlace(builder, table, number);
	Value *there = numberAt(builder, table, numbers, place);
	builder.CreateCondBr(builder.CreateICmpEQ(number, there), found, otherwise);
	SmallVector<BasicBlock *, 32> targets;
	for (const auto &row : choice.cases())
		targets.push_back(row.getCaseSuccessor());
	builder.SetInsertPoint(found);
	SwitchInst *dense = builder.CreateSwitch(place, never, unsigned(targets.size()));
	for (auto [at, index] : enumerate(table.place)) {
		if (index)
			dense->addCase(builder.getInt64(at), targets[*index]);
	}
	for (BasicBlock *target : SmallSetVector<BasicBlock *, 32>(targets.begin(), targets.end()))
		moveEdges(*target, block, *found, size_t(count(targets, target)),
			  target == otherwise);
	choice.eraseFromParent();
}

} // namespace

PreservedAnalyses HashSwitchesPass::run(Module &module, ModuleAnalysisManager &)
{
	SmallVector<SwitchInst *, 4> choices;
	for (Function &function : module) {
		for (BasicBlock &block : function) {
			auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
			if (choice && isFarApart(*choice))
				choices.push_back(choice);
		}
	}
	bool changed = false;
	for (SwitchInst *choice : choices) {
		SmallVector<uint64_t, 32> numbers;
		for (const auto &row : choice->cases())
			numbers.push_back(row.getCaseValue()->getZExtValue());
		const std::optional<HashTable> table = HashTable::of(numbers);
		if (!table)
			continue;
		hashSwitch(*choice, *table, numbers);
		changed = true;
	}
	return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace weft

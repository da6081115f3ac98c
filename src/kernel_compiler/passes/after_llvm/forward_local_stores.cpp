/* SPDX-License-Identifier: MIT
 *
 * forward-local-stores: in a block it is known of which vector's lane each element is that was stored last. The
 * contents of a group's memory are undefined when the group begins, and are lost when it ends: what no instruction loads need not
 * be stored.
 */
#include "after_llvm/forward_local_stores.h"

#include "after_llvm/group_memory.h"
#include "after_llvm/lane_accesses.h"
#include "functions/internal_functions.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>

using namespace llvm;

namespace weft
{

namespace
{

/* Vectors that a load's lanes may come from, beside those that were scattered, which waits for each element to be stored; and those that
 * a gather's may, which takes as long as shuffles of so many. */
constexpr unsigned mostOfLoad = 2, mostOfGather = 16;

/* The address that an instruction accesses, a vector of them for a gather or scatter; or NULL. */
const Value *accessedPointer(const Instruction &instruction)
{
	if (const Value *pointer = getLoadStorePointerOperand(&instruction))
		return pointer;
	if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
		return update->getPointerOperand();
	if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
		return exchange->getPointerOperand();
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
	case Intrinsic::masked_load:
	case Intrinsic::masked_gather:
		return call->getArgOperand(0);
	case Intrinsic::masked_store:
	case Intrinsic::masked_scatter:
		return call->getArgOperand(1);
	default:
		return nullptr;
	}
}

/* Surely no local memory. */
bool accessesElsewhere(const Instruction &instruction)
{
	const Value *pointer = accessedPointer(instruction);
	if (!pointer)
		return isa<FenceInst>(instruction);
	unsigned space = pointer->getType()->getScalarType()->getPointerAddressSpace();
	if (space != PrivateSpace || pointer->getType()->isVectorTy())
		return space == GlobalSpace || space == ConstantSpace;
	const Value *object = getUnderlyingObject(pointer);
	return isa<AllocaInst, Argument, GlobalVariable>(object) || isItemMemory(*object);
}

bool isSeen(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	return instruction.mayReadOrWriteMemory() && !(call && call->isAssumeLikeIntrinsic());
}

/* A lane of a vector that was stored. */
struct Element {
	Value *vector;
	int lane;
	int64_t size;
	bool isScattered;
};

class BlockForwarder
{
      public:
	explicit BlockForwarder(const DataLayout &theLayout) : layout(theLayout)
	{
	}

	bool run(BasicBlock &block)
	{
		bool changed = false;
		for (Instruction &instruction : make_early_inc_range(block)) {
			if (!isSeen(instruction))
				continue;
			auto access = readLaneAccess(instruction, layout);
			if (access && access->stored)
				keep(*access);
			else if (access)
				changed |= forward(instruction, *access);
			else if (instruction.mayWriteToMemory() && !accessesElsewhere(instruction))
				known.clear();
		}
		return changed;
	}

      private:
	using Elements = std::map<int64_t, Element>;

	/* Elements at other bases may be the same. */
	void keep(const LaneAccess &access)
	{
		Elements elements = std::move(known[access.base]);
		known.remove_if([&access](const auto &other) {
			return !areApart(*other.first, *access.base);
		});
		for (auto [lane, place] : enumerate(access.places)) {
			if (place)
				replace(elements, *place,
					{access.stored, int(lane), access.size,
					 access.isScattered});
		}
		known[access.base] = std::move(elements);
	}

	static void replace(Elements &elements, int64_t place, const Element &stored)
	{
		auto first = elements.upper_bound(place - 8);
		while (first != elements.end() && first->first < place + stored.size)
			first = first->first + first->second.size > place ? elements.erase(first)
									  : std::next(first);
		if (stored.vector->getType()->isVectorTy())
			elements[place] = stored;
	}

	/* Finds each lane's element: which of the stored vectors has it, and at which index. False if it is not known, or too many vectors
	 * are needed. */
	bool findSources(const LaneAccess &access)
	{
		auto at = known.find(access.base);
		sources.clear();
		unsigned scattered = 0;
		if (at == known.end())
			return false;
		for (auto [lane, place] : enumerate(access.places)) {
			if (!place)
				continue;
			auto found = at->second.find(*place);
			if (found == at->second.end() ||
			    found->second.vector->getType()->getScalarType() != access.element)
				return false;
			auto &lanes = sources[found->second.vector];
			scattered += lanes.empty() && found->second.isScattered;
			lanes.resize(access.places.size(), PoisonMaskElem);
			lanes[lane] = found->second.lane;
		}
		return !sources.empty() && sources.size() <= mostOfGather &&
		       (access.isScattered || sources.size() <= mostOfLoad + scattered) &&
		       haveOneType();
	}

	/* More than two sources: those after the second are added to a vector with the lanes of the load. */
	bool haveOneType() const
	{
		const auto &[first, lanes] = sources.front();
		return (sources.size() <= 2 || lanesOf(*first) == lanes.size()) &&
		       all_of(sources, [first = first](const auto &source) {
			       return source.first->getType() == first->getType();
		       });
	}

	static unsigned lanesOf(const Value &vector)
	{
		return cast<FixedVectorType>(vector.getType())->getNumElements();
	}

	/* Two sources at once, then one more at a time, of which lanes that it has not are left alone. */
	Value *shuffle(IRBuilder<> &builder)
	{
		SmallVector<int, 16> choice = sources.front().second;
		Value *first = sources.front().first, *second = nullptr;
		for (auto &[vector, lanes] : drop_begin(sources)) {
			if (second) {
				first = builder.CreateShuffleVector(first, second, choice);
				for (auto [i, lane] : enumerate(choice))
					lane = lane < 0 ? lane : int(i);
			}
			second = vector;
			for (auto [lane, from] : zip_equal(choice, lanes))
				lane = from < 0 ? lane : from + int(lanesOf(*first));
		}
		return second ? builder.CreateShuffleVector(first, second, choice)
			      : builder.CreateShuffleVector(first, choice);
	}

	bool forward(Instruction &load, const LaneAccess &access)
	{
		if (!findSources(access))
			return false;
		IRBuilder<> builder(&load);
		Value *result = nullptr;
		if (load.getType()->isVectorTy())
			result = shuffle(builder);
		else
			result = builder.CreateExtractElement(sources.front().first,
							      uint64_t(sources.front().second[0]));
		if (auto *masked = dyn_cast<IntrinsicInst>(&load)) {
			Value *otherwise = masked->getArgOperand(2);
			if (!isa<PoisonValue>(otherwise))
				result = builder.CreateSelect(masked->getArgOperand(1), result,
							      otherwise);
		}
		load.replaceAllUsesWith(result);
		load.eraseFromParent();
		return true;
	}

	const DataLayout &layout;
	MapVector<Value *, Elements> known;
	SmallMapVector<Value *, SmallVector<int, 16>, 4> sources; /* lanes of each */
};

/* The loads of a function from local memory. */
class LocalReads
{
      public:
	LocalReads(Function &function, const DataLayout &layout)
	{
		for (Instruction &instruction : instructions(function)) {
			if (!isSeen(instruction) || !instruction.mayReadFromMemory())
				continue;
			if (auto access = readLaneAccess(instruction, layout))
				add(*access);
			else
				isKnown &= accessesElsewhere(instruction);
		}
	}

	/* Whether any of these bytes may be loaded. */
	bool mayRead(const LaneAccess &store) const
	{
		if (!isKnown || any_of(bytes, [&store](const auto &read) {
			    return read.first != store.base && !areApart(*read.first, *store.base);
		    }))
			return true;
		auto read = bytes.find(store.base);
		return read != bytes.end() && any_of(store.places, [&](const auto &place) {
			       return place && reads(read->second, *place, store.size);
		       });
	}

      private:
	static bool reads(const DenseSet<int64_t> &read, int64_t first, int64_t size)
	{
		for (int64_t i = 0; i < size; i++) {
			if (read.contains(first + i))
				return true;
		}
		return false;
	}

	void add(const LaneAccess &load)
	{
		DenseSet<int64_t> &read = bytes[load.base];
		for (const std::optional<int64_t> &place : load.places) {
			if (!place)
				continue;
			const int64_t first = *place;
			for (int64_t i = first; i < first + load.size; i++)
				read.insert(i);
		}
	}

	bool isKnown = true;
	DenseMap<Value *, DenseSet<int64_t>> bytes;
};

bool removeStores(Function &function, const CycleInfo &cycles, const DataLayout &layout)
{
	const LocalReads reads(function, layout);
	bool changed = false;
	for (Instruction &instruction : make_early_inc_range(instructions(function))) {
		if (!isSeen(instruction))
			continue;
		auto access = readLaneAccess(instruction, layout);
		if (!access || !access->stored || !isPlaceInGroupMemory(*access->base, cycles) ||
		    reads.mayRead(*access))
			continue;
		salvageDebugInfo(instruction);
		instruction.eraseFromParent();
		changed = true;
	}
	return changed;
}

} // namespace

PreservedAnalyses ForwardLocalStoresPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	const DataLayout &layout = function.getDataLayout();
	bool changed = false;
	for (BasicBlock &block : function)
		changed |= BlockForwarder(layout).run(block);
	if (!changed)
		return PreservedAnalyses::all();
	removeStores(function, analyses.getResult<CycleAnalysis>(function), layout);
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft

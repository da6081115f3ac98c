/* SPDX-License-Identifier: MIT
 *
 * Buffers are known by their place in the packed block of arguments: local and private memory have none, and neither do
 * pointers that were found in memory.
 */
#include "after_llvm/stream_sites.h"

#include "after_llvm/launch_size.h"
#include "functions/internal_functions.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <set>

using namespace llvm;

namespace weft
{

namespace
{

/* Limits of code that is copied; loops of fewer iterations are not worth the test. */
constexpr size_t mostLoops = 4, mostLoopInstructions = 200;
constexpr unsigned leastRounds = 8;

/* Loops that load less than this part of what they store are as fast through the cache. */
constexpr uint64_t leastLoaded = 2;

constexpr unsigned mostSteps = 16; /* from a buffer to an address */

/* By their places in the packed block. */
using Buffers = std::set<int64_t>;

std::optional<int64_t> bufferOf(const Value &pointer)
{
	const auto *load = dyn_cast<LoadInst>(getUnderlyingObject(&pointer, mostSteps));
	if (!load || !load->getType()->isPointerTy())
		return std::nullopt;
	int64_t offset = 0;
	const auto *args = dyn_cast<Argument>(GetPointerBaseWithConstantOffset(
		load->getPointerOperand(), offset, load->getDataLayout()));
	if (!args || args->getArgNo() != ArgsParameter)
		return std::nullopt;
	return offset;
}

/* The addresses that an instruction accesses are among its operands. */
void addBuffers(const Instruction &instruction, Buffers &buffers)
{
	for (const Value *operand : instruction.operand_values()) {
		if (!operand->getType()->isPtrOrPtrVectorTy())
			continue;
		if (std::optional<int64_t> buffer = bufferOf(*operand))
			buffers.insert(*buffer);
	}
}

/* Another work-group may wait for what such an instruction makes visible. */
bool mayOrder(const Instruction &instruction)
{
	if (instruction.isAtomic())
		return true;
	return isRealCall(instruction) && instruction.mayReadOrWriteMemory();
}

bool isLongVector(Type &type, const DataLayout &layout)
{
	const auto *vector = dyn_cast<FixedVectorType>(&type);
	if (!vector || layout.getTypeAllocSize(&type) * 8 != layout.getTypeSizeInBits(&type))
		return false;
	uint64_t bytes = layout.getTypeStoreSize(&type).getFixedValue();
	return vector->getScalarSizeInBits() >= 8 &&
	       (bytes == streamLine / 2 || bytes % streamLine == 0);
}

class LoopReader
{
      public:
	LoopReader(Loop &theLoop, ScalarEvolution &theEvolution, const Buffers &theRead)
	    : loop(theLoop), evolution(theEvolution), read(theRead),
	      layout(theLoop.getHeader()->getDataLayout())
	{
	}

	std::optional<StreamLoop> find();

      private:
	const SCEVAddRecExpr *addressOf(Instruction &access);
	uint64_t stepOf(const SCEVAddRecExpr &address);
	void readAccess(Instruction &access);
	bool takeStore(StoreInst &store, StoreRun &run);
	bool isWhole(StoreRun &run);
	uint64_t itemsOf(const StoreRun &run);
	void readWriter(Instruction &writer);
	bool mayStream(int64_t buffer, const StoreRun &run);

	Loop &loop;
	ScalarEvolution &evolution;
	const Buffers &read;
	const DataLayout &layout;
	/* Loads and stores a constant apart, which touch at most as many bytes in an iteration as their addresses move on by. */
	struct Touched {
		const SCEVAddRecExpr *address;
		uint64_t bytes;
		bool isLoaded;
	};
	SmallVector<Touched, 8> touched;
	std::map<int64_t, StoreRun> runs; /* by buffer */
	std::map<const BasicBlock *, Buffers> masked;
	Buffers others; /* that are written in other ways */
};

/* The lower bits of the address, which grow by a constant in each iteration; NULL if they do not. */
const SCEVAddRecExpr *LoopReader::addressOf(Instruction &access)
{
	Value *pointer = getLoadStorePointerOperand(&access);
	LLVMContext &context = access.getContext();
	const SCEV *place = evolution.getPtrToIntExpr(evolution.getSCEV(pointer),
						      layout.getIntPtrType(pointer->getType()));
	if (isa<SCEVCouldNotCompute>(place))
		return nullptr;
	const auto *address = dyn_cast<SCEVAddRecExpr>(
		evolution.getTruncateOrNoop(place, Type::getInt32Ty(context)));
	return address && address->getLoop() == &loop && address->isAffine() ? address : nullptr;
}

/* Bytes in each iteration; 0: not known, or backwards. */
uint64_t LoopReader::stepOf(const SCEVAddRecExpr &address)
{
	const auto *step = dyn_cast<SCEVConstant>(address.getStepRecurrence(evolution));
	return step && step->getAPInt().isStrictlyPositive() ? step->getAPInt().getLimitedValue()
							     : 0;
}

void LoopReader::readAccess(Instruction &access)
{
	const SCEVAddRecExpr *address = addressOf(access);
	const uint64_t step = address ? stepOf(*address) : 0;
	if (!step)
		return;
	uint64_t bytes = layout.getTypeStoreSize(getLoadStoreType(&access)).getFixedValue();
	for (Touched &other : touched) {
		if (isa<SCEVConstant>(evolution.getMinusSCEV(address, other.address))) {
			other.bytes = std::min(other.bytes + bytes, step);
			return;
		}
	}
	touched.push_back({address, std::min(bytes, step), isa<LoadInst>(access)});
}

/* Adds it to those of its buffer, at its distance from the first one. */
bool LoopReader::takeStore(StoreInst &store, StoreRun &run)
{
	const SCEVAddRecExpr *address = addressOf(store);
	if (!address || !store.isSimple() || store.hasMetadata(LLVMContext::MD_nontemporal) ||
	    !isLongVector(*store.getValueOperand()->getType(), layout))
		return false;
	if (!run.lowest)
		run.lowest = address;
	const auto *distance = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(address, run.lowest));
	if (!distance)
		return false;
	/* Until isWhole has sorted them, offsets count from the first store and may be negative. */
	run.stores.push_back({&store, uint64_t(distance->getAPInt().getSExtValue())});
	return true;
}

/* Sorts the stores by address, and counts from the lowest. */
bool LoopReader::isWhole(StoreRun &run)
{
	sort(run.stores, [](const StreamedStore &a, const StreamedStore &b) {
		return int64_t(a.offset) < int64_t(b.offset);
	});
	const uint64_t first = run.stores.front().offset;
	for (StreamedStore &place : run.stores) {
		place.offset -= first;
		if (place.offset != run.bytes)
			return false;
		run.bytes += layout.getTypeStoreSize(place.store->getValueOperand()->getType())
				     .getFixedValue();
	}
	run.lowest = addressOf(*run.stores.front().store);
	return run.bytes == stepOf(*run.lowest);
}

/* Work-items of an iteration: what a counter of the loop steps by, if it is neither fewer than the lanes of so many stores nor more
 * than the elements stored; else as many as these, so that kernels with their own vectors stream late. */
uint64_t LoopReader::itemsOf(const StoreRun &run)
{
	const Function &function = *loop.getHeader()->getParent();
	const uint64_t lanes =
		std::max<uint64_t>(getKernelNumber(function, vectorWidthAttribute), 1);
	uint64_t elements = 0, items = 0;
	for (const StreamedStore &place : run.stores)
		elements += cast<FixedVectorType>(place.store->getValueOperand()->getType())
				    ->getNumElements();
	for (PHINode &phi : loop.getHeader()->phis()) {
		if (!phi.getType()->isIntegerTy())
			continue;
		const auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
		uint64_t step = counter && counter->isAffine() ? stepOf(*counter) : 0;
		if (step >= lanes * run.stores.size() && step <= elements)
			items = std::max(items, step);
	}
	return items ? items : elements;
}

/* All that may write. */
void LoopReader::readWriter(Instruction &writer)
{
	auto *store = dyn_cast<StoreInst>(&writer);
	std::optional<int64_t> buffer =
		store ? bufferOf(*store->getPointerOperand()) : std::nullopt;
	if (buffer && takeStore(*store, runs[*buffer]))
		return;
	auto *intrinsic = dyn_cast<IntrinsicInst>(&writer);
	bool isMasked = intrinsic && intrinsic->getIntrinsicID() == Intrinsic::masked_store;
	addBuffers(writer, isMasked ? masked[writer.getParent()] : others);
}

/* Masked stores stand beside, for vectors of which not all lanes run. */
bool LoopReader::mayStream(int64_t buffer, const StoreRun &run)
{
	if (run.stores.empty() || read.count(buffer) || others.count(buffer))
		return false;
	return none_of(run.stores, [&](const StreamedStore &place) {
		auto found = masked.find(place.store->getParent());
		return found != masked.end() && found->second.count(buffer);
	});
}

std::optional<StreamLoop> LoopReader::find()
{
	StreamLoop result = {&loop, {}, 1};
	for (BasicBlock *block : loop.blocks()) {
		for (Instruction &instruction : *block) {
			if (isa<LoadInst, StoreInst>(instruction))
				readAccess(instruction);
			if (instruction.mayWriteToMemory())
				readWriter(instruction);
		}
	}
	for (auto &[buffer, run] : runs) {
		if (mayStream(buffer, run) && isWhole(run))
			result.runs.push_back(run);
	}
	if (result.runs.empty())
		return std::nullopt;
	uint64_t items = 1, loaded = 0, stored = 0;
	for (const StoreRun &run : result.runs)
		items = std::max(items, itemsOf(run));
	for (const Touched &place : touched)
		(place.isLoaded ? loaded : stored) += place.bytes;
	if (loaded < stored / leastLoaded)
		return std::nullopt;
	result.bytesPerItem = std::max<uint64_t>((loaded + stored) / items, 1);
	return result;
}

/* Whether it may be streamed, as far as can be told without its address. */
bool isLongStore(const Instruction &instruction, const Buffers &read)
{
	const auto *store = dyn_cast<StoreInst>(&instruction);
	if (!store || !isLongVector(*store->getValueOperand()->getType(), store->getDataLayout()))
		return false;
	std::optional<int64_t> buffer = bufferOf(*store->getPointerOperand());
	return buffer && !read.count(*buffer);
}

bool hasLongStore(const Loop &loop, const Buffers &read)
{
	return any_of(loop.blocks(), [&](const BasicBlock *block) {
		return any_of(*block, [&](const Instruction &instruction) {
			return isLongStore(instruction, read);
		});
	});
}

bool isCandidate(const Loop &loop)
{
	if (!loop.isInnermost() || !loop.getLoopLatch() ||
	    loop.getExitingBlock() != loop.getLoopLatch() ||
	    !isa<BranchInst>(loop.getLoopLatch()->getTerminator()))
		return false;
	size_t size = 0;
	bool stores = false;
	for (const BasicBlock *block : loop.blocks()) {
		size += block->size();
		stores |= any_of(*block, [](const Instruction &instruction) {
			const auto *store = dyn_cast<StoreInst>(&instruction);
			return store && store->getValueOperand()->getType()->isVectorTy();
		});
	}
	return stores && size <= mostLoopInstructions;
}

} // namespace

SmallVector<StreamLoop, 4> findStreamLoops(Function &function, FunctionAnalysisManager &analyses)
{
	SmallVector<StreamLoop, 4> found;
	if (!isEntryPoint(function))
		return found;
	SmallVector<Loop *, 16> candidates;
	copy_if(analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(),
		std::back_inserter(candidates), [](Loop *loop) { return isCandidate(*loop); });
	if (candidates.empty() || any_of(instructions(function), mayOrder))
		return found;
	Buffers read;
	for (const Instruction &instruction : instructions(function)) {
		if (instruction.mayReadFromMemory() && !isa<StoreInst>(instruction))
			addBuffers(instruction, read);
	}
	/* Most functions end here; scalar evolution takes longer than all before. */
	erase_if(candidates, [&](Loop *loop) { return !hasLongStore(*loop, read); });
	if (candidates.empty())
		return found;
	auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
	for (Loop *loop : candidates) {
		unsigned rounds = evolution.getSmallConstantMaxTripCount(loop);
		if (found.size() == mostLoops || (rounds > 0 && rounds < leastRounds))
			continue;
		if (std::optional<StreamLoop> stream = LoopReader(*loop, evolution, read).find())
			found.push_back(std::move(*stream));
	}
	return found;
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * sink-broadcasts: vectors of one number in a loop's preheader. A number that is a lane of a vector comes from a place on the stack, to
 * which that vector is stored once before the loop.
 */
#include "after_llvm/sink_broadcasts.h"

#include "costs/register_pressure.h"
#include "costs/vector_registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;
using namespace PatternMatch;

namespace weft
{

namespace
{

/* Questions about memory in one loop. */
constexpr size_t mostQuestions = 20000;

/* A vector of one number, and who takes it in the loop. The number is loaded, or a lane of another vector. */
struct Broadcast {
	Instruction *vector;
	LoadInst *load = nullptr;
	Value *source = nullptr;
	uint64_t lane = 0;
	SmallVector<Use *, 4> uses = {};
};

class LoopSinker
{
      public:
	LoopSinker(Loop &theLoop, LoopInfo &theLoops, AAResults &theAliases,
		   const VectorRegisters &theRegisters)
	    : loop(theLoop), loops(theLoops), aliases(theAliases), registers(theRegisters)
	{
	}

	bool run()
	{
		if (!loop.getLoopPreheader())
			return false;
		unsigned needed = registersNeeded();
		if (needed <= registers.count)
			return false;
		bool changed = false;
		for (const Broadcast &broadcast : findBroadcasts()) {
			if (needed <= registers.count)
				break;
			needed -= std::min(needed, registersOf(*broadcast.vector));
			sink(broadcast);
			changed = true;
		}
		return changed;
	}

      private:
	unsigned registersOf(const Value &value) const
	{
		const auto *type = dyn_cast<FixedVectorType>(value.getType());
		return type ? unsigned(divideCeil(type->getPrimitiveSizeInBits().getFixedValue(),
						  registers.bits))
			    : 0;
	}

	/* By values from before the loop, which live as long as it, and by its own. */
	unsigned registersNeeded()
	{
		LoopBlocksRPO order(&loop);
		order.perform(&loops);
		SmallVector<BasicBlock *, 8> blocks(order.begin(), order.end());
		SmallPtrSet<const Value *, 32> outer;
		unsigned needed = 0;
		for (BasicBlock *block : blocks) {
			for (Instruction &instruction : *block) {
				for (Value *operand : instruction.operands()) {
					if (isa<Instruction, Argument>(operand) &&
					    loop.isLoopInvariant(operand) &&
					    outer.insert(operand).second)
						needed += registersOf(*operand);
				}
			}
		}
		return needed + mostAlive(blocks, loops, [this](const Instruction &value) {
			       return registersOf(value);
		       });
	}

	SmallVector<Broadcast, 32> findBroadcasts()
	{
		SmallVector<Broadcast, 32> found;
		for (Instruction &vector : *loop.getLoopPreheader()) {
			Broadcast broadcast{&vector};
			if (findNumber(broadcast) && findUses(broadcast))
				found.push_back(std::move(broadcast));
		}
		return found;
	}

	bool findNumber(Broadcast &broadcast)
	{
		auto *shuffle = dyn_cast<ShuffleVectorInst>(broadcast.vector);
		unsigned bits = broadcast.vector->getType()->getScalarSizeInBits();
		if (!shuffle || !isa<FixedVectorType>(shuffle->getType()) ||
		    (bits != 32 && bits != 64) || !all_equal(shuffle->getShuffleMask()) ||
		    shuffle->getMaskValue(0) < 0)
			return false;
		Value *number = nullptr, *source = shuffle->getOperand(0);
		auto lane = uint64_t(shuffle->getMaskValue(0));
		if (lane == 0 &&
		    match(source, m_InsertElt(m_Value(), m_Value(number), m_ZeroInt()))) {
			broadcast.load = dyn_cast<LoadInst>(number);
			if (broadcast.load)
				return broadcast.load->isSimple() &&
				       broadcast.load->getParent() == loop.getLoopPreheader() &&
				       !isWritten(*broadcast.load);
			if (!match(number, m_ExtractElt(m_Value(source), m_ConstantInt(lane))))
				return false;
		}
		auto *type = dyn_cast<FixedVectorType>(source->getType());
		broadcast.source = source;
		broadcast.lane = lane;
		return type && lane < type->getNumElements();
	}

	bool findUses(Broadcast &broadcast) const
	{
		for (Use &use : broadcast.vector->uses()) {
			auto *user = cast<Instruction>(use.getUser());
			if (!loop.contains(user))
				continue;
			if (isa<PHINode>(user))
				return false;
			broadcast.uses.push_back(&use);
		}
		return !broadcast.uses.empty();
	}

	/* What writes before the loop's end, between the load and the loop and in the loop. */
	bool isWritten(const LoadInst &load)
	{
		if (writes.empty())
			collectWrites();
		questions += writes.size();
		if (questions > mostQuestions)
			return true;
		const MemoryLocation place = MemoryLocation::get(&load);
		return any_of(writes, [&](Instruction *write) {
			return (write->getParent() != load.getParent() ||
				load.comesBefore(write)) &&
			       isModSet(aliases.getModRefInfo(write, place));
		});
	}

	void collectWrites()
	{
		SmallVector<BasicBlock *, 8> blocks(loop.blocks());
		blocks.push_back(loop.getLoopPreheader());
		for (BasicBlock *block : blocks) {
			for (Instruction &instruction : *block) {
				if (instruction.mayWriteToMemory())
					writes.push_back(&instruction);
			}
		}
	}

	/* One for each use, which has it as an operand. */
	void sink(const Broadcast &broadcast)
	{
		auto *type = cast<FixedVectorType>(broadcast.vector->getType());
		AllocaInst *slot = broadcast.source ? slotOf(*broadcast.source) : nullptr;
		for (Use *use : broadcast.uses) {
			IRBuilder<> builder(cast<Instruction>(use->getUser()));
			Value *number = nullptr;
			if (slot)
				number = builder.CreateLoad(
					type->getElementType(),
					builder.CreateConstInBoundsGEP1_64(type->getElementType(),
									   slot, broadcast.lane));
			else
				number = builder.Insert(broadcast.load->clone());
			use->set(builder.CreateVectorSplat(type->getNumElements(), number));
		}
		RecursivelyDeleteTriviallyDeadInstructions(broadcast.vector);
	}

	/* Memory that holds the vector while the loop runs. */
	AllocaInst *slotOf(Value &source)
	{
		AllocaInst *&slot = slots[&source];
		if (!slot) {
			BasicBlock *before = loop.getLoopPreheader();
			IRBuilder<> entry(&before->getParent()->getEntryBlock(),
					  before->getParent()->getEntryBlock().begin());
			slot = entry.CreateAlloca(source.getType());
			IRBuilder<>(before->getTerminator()).CreateStore(&source, slot);
		}
		return slot;
	}

	Loop &loop;
	LoopInfo &loops;
	AAResults &aliases;
	const VectorRegisters &registers;
	SmallVector<Instruction *, 64> writes;
	size_t questions = 0;
	DenseMap<Value *, AllocaInst *> slots;
};

} // namespace

PreservedAnalyses SinkBroadcastsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	if (loops.empty())
		return PreservedAnalyses::all();
	auto &aliases = analyses.getResult<AAManager>(function);
	const VectorRegisters registers =
		vectorRegisters(analyses.getResult<TargetIRAnalysis>(function));
	bool changed = false;
	for (Loop *loop : loops.getLoopsInPreorder()) {
		if (loop->isInnermost())
			changed |= LoopSinker(*loop, loops, aliases, registers).run();
	}
	if (!changed)
		return PreservedAnalyses::all();
	PreservedAnalyses preserved;
	preserved.preserveSet<CFGAnalyses>();
	return preserved;
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * The form of such loops, the memory that a second chain may read too early, and whether a chain is waited for.
 */
#include "after_llvm/interleaved_loops.h"

#include "costs/register_pressure.h"
#include "costs/vector_registers.h"
#include "functions/internal_functions.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

namespace
{

/* Operations on registers: fewer a CPU looks past by itself. */
constexpr unsigned leastRoundOperations = 128, mostRoundOperations = 3000;
/* Instructions of a chain, which stand there three times then, and of a rest: what the scheduler has time for. */
constexpr size_t mostInterleaved = 4000;
/* Two units begin one operation each in a cycle. Where the chain takes less than a third of the time that they need, a CPU
 * finds enough to do. */
constexpr unsigned numUnits = 2, chainShare = 3;
/* Instructions from the counters of one iteration to those of the next, and to addresses. */
constexpr unsigned mostCounting = 16;

struct Round {
	unsigned operations = 0, latency = 0;
	unsigned registers = 0; /* of the longest vector */
};

class RoundTiming
{
      public:
	explicit RoundTiming(const TargetTransformInfo &target) : vectors(vectorRegisters(target))
	{
	}

	/* How many registers hold the value, if it is a vector that fills at least one. */
	unsigned registersOf(const Instruction &instruction) const
	{
		const auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
		if (!vector)
			return 0;
		auto bits = unsigned(vector->getScalarSizeInBits() * vector->getNumElements());
		return bits / vectors.bits;
	}

	Round of(const BasicBlock &chain) const
	{
		Round round;
		DenseMap<const Value *, unsigned> ready;
		for (const Instruction &instruction : chain) {
			unsigned registers = registersOf(instruction);
			if (isa<PHINode>(instruction) || registers == 0)
				continue;
			unsigned start = 0;
			for (const Value *operand : instruction.operand_values())
				start = std::max(start, ready.lookup(operand));
			round.operations += isa<CastInst>(instruction) ? 0 : registers;
			round.registers = std::max(round.registers, registers);
			ready[&instruction] = start + latencyOf(instruction);
			round.latency = std::max(round.latency, start + latencyOf(instruction));
		}
		return round;
	}

	unsigned numRegisters() const
	{
		return vectors.count;
	}

      private:
	static unsigned latencyOf(const Instruction &instruction)
	{
		if (isa<CastInst>(instruction))
			return 0;
		if (instruction.getOpcode() == Instruction::Mul)
			return 10;
		return instruction.getType()->isFPOrFPVectorTy() ? 4 : 1;
	}

	const VectorRegisters vectors;
};

bool mayStandTwice(const BasicBlock &block)
{
	for (const Instruction &instruction : block) {
		const auto *call = dyn_cast<CallBase>(&instruction);
		if (call &&
		    (call->cannotDuplicate() || call->isConvergent() || call->isInlineAsm()))
			return false;
		if (instruction.getType()->isTokenTy() ||
		    isa<AllocaInst, NoAliasScopeDeclInst>(instruction))
			return false;
	}
	return true;
}

bool isUsedOutside(const Loop &loop)
{
	for (const BasicBlock *block : loop.blocks()) {
		for (const Instruction &instruction : *block) {
			for (const User *user : instruction.users()) {
				if (!loop.contains(cast<Instruction>(user)))
					return true;
			}
		}
	}
	return false;
}

/* Adds what `value` follows from, if from the counters alone and by a few steps. */
bool addCounting(PairedLoop &paired, Value *value)
{
	auto *instruction = dyn_cast<Instruction>(value);
	if (!instruction || !paired.loop->contains(instruction) ||
	    paired.counting.contains(instruction))
		return true;
	if (isa<PHINode>(instruction))
		return instruction->getParent() == paired.chain;
	if (is_contained(paired.rest, instruction->getParent()) ||
	    instruction->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(instruction))
		return false;
	for (Value *operand : instruction->operand_values()) {
		if (!addCounting(paired, operand))
			return false;
	}
	return paired.counting.insert(instruction) && paired.counting.size() <= mostCounting;
}

/* Whether the latch knows of the chain and the rest only what they wrote, and may run before them, too. What it loads from
 * follows from the counters: a rest might have made the place one that can be read. */
bool isPlainLatch(PairedLoop &paired)
{
	auto isPlain = [&](Value *value) {
		auto *instruction = dyn_cast<Instruction>(value);
		return (instruction && instruction->getParent() == paired.latch) ||
		       addCounting(paired, value);
	};
	for (Instruction &instruction : *paired.latch) {
		auto *load = dyn_cast<LoadInst>(&instruction);
		if (isa<PHINode>(instruction) || instruction.mayHaveSideEffects())
			return false;
		if (load && !addCounting(paired, load->getPointerOperand()))
			return false;
		if (!load && !instruction.isTerminator() &&
		    !isSafeToSpeculativelyExecute(&instruction))
			return false;
		paired.mayEnd |= load != nullptr;
		for (Value *operand : instruction.operand_values()) {
			if (!isa<BasicBlock>(operand) && !isPlain(operand))
				return false;
		}
	}
	return true;
}

/* Whether the next iteration's counters are known when an iteration begins, and where its chain loads from. */
bool isCounted(PairedLoop &paired)
{
	for (PHINode &phi : paired.chain->phis()) {
		if (!addCounting(paired, phi.getIncomingValueForBlock(paired.latch)))
			return false;
	}
	for (Instruction &instruction : *paired.chain) {
		auto *load = dyn_cast<LoadInst>(&instruction);
		if (!load || paired.loop->isLoopInvariant(load->getPointerOperand()))
			continue;
		if (!addCounting(paired, load->getPointerOperand()))
			return false;
		paired.loads.push_back(load);
	}
	return isPlainLatch(paired);
}

/* Of what reads and writes no memory. */
bool mayTrap(const Instruction &instruction)
{
	if (instruction.isIntDivRem())
		return !isSafeToSpeculativelyExecute(&instruction);
	return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction);
}

/* The loads of the chain; false if the chain must not run in an iteration that does not exist. */
bool findReads(const PairedLoop &paired, SmallVectorImpl<MemoryLocation> &reads)
{
	for (const Instruction &instruction : *paired.chain) {
		if (instruction.mayHaveSideEffects())
			return false;
		const auto *load = dyn_cast<LoadInst>(&instruction);
		if (!load &&
		    (instruction.mayReadFromMemory() || (paired.mayEnd && mayTrap(instruction))))
			return false;
		if (!load || load->getPointerAddressSpace() == ConstantSpace)
			continue;
		/* The load is of another iteration than the stores, so only its object and its type say something. */
		AAMDNodes metadata = load->getAAMetadata();
		metadata.Scope = metadata.NoAlias = nullptr;
		reads.push_back(
			MemoryLocation::getBeforeOrAfter(load->getPointerOperand(), metadata));
	}
	return true;
}

bool mayRunAhead(const PairedLoop &paired, AAResults &aliases)
{
	SmallVector<MemoryLocation, 16> reads;
	if (!findReads(paired, reads))
		return false;
	BatchAAResults batch(aliases);
	batch.enableCrossIterationMode();
	for (BasicBlock *block : paired.rest) {
		for (Instruction &instruction : *block) {
			if (instruction.mayWriteToMemory() && any_of(reads, [&](const auto &read) {
				    return isModSet(batch.getModRefInfo(&instruction, read));
			    }))
				return false;
		}
	}
	return true;
}

/* Whether the chain ends by asking whether there is a rest. */
bool skipsRest(const PairedLoop &paired)
{
	const auto *branch = dyn_cast<BranchInst>(paired.chain->getTerminator());
	return branch && branch->isConditional() &&
	       is_contained(branch->successors(), paired.latch);
}

std::optional<PairedLoop> pairedLoop(Loop &loop, AAResults &aliases)
{
	BasicBlock *latch = loop.getLoopLatch(), *exit = loop.getExitBlock();
	PairedLoop paired = {&loop, loop.getHeader(), latch, exit, {}};
	if (!loop.isInnermost() || !loop.getLoopPreheader() || !latch || !exit ||
	    latch == paired.chain || loop.getExitingBlock() != latch ||
	    !isa<BranchInst>(latch->getTerminator()) || !skipsRest(paired))
		return std::nullopt;
	for (BasicBlock *block : loop.blocks()) {
		if (!mayStandTwice(*block))
			return std::nullopt;
		if (block != paired.chain && block != latch)
			paired.rest.push_back(block);
	}
	for (const BasicBlock *block : paired.rest)
		paired.mayEnd |= !isGuaranteedToTransferExecutionToSuccessor(block);
	if (isUsedOutside(loop) || !isCounted(paired) || !mayRunAhead(paired, aliases))
		return std::nullopt;
	return paired;
}

bool paysInPairs(const PairedLoop &paired, const RoundTiming &timing, const LoopInfo &loops)
{
	size_t restSize = 0;
	for (const BasicBlock *block : paired.rest)
		restSize += block->size();
	if (paired.chain->size() > mostInterleaved || restSize > mostInterleaved)
		return false;
	/* A vector in several registers is as many chains by itself. */
	Round round = timing.of(*paired.chain);
	if (round.registers > 1)
		return false;
	if (round.operations < leastRoundOperations || round.operations > mostRoundOperations ||
	    round.latency * numUnits * chainShare < round.operations)
		return false;
	unsigned alive = mostAlive({paired.chain}, loops, [&](const Instruction &instruction) {
		return timing.registersOf(instruction);
	});
	return alive <= timing.numRegisters();
}

} // namespace

SmallVector<PairedLoop, 4> findPairedLoops(Function &function, FunctionAnalysisManager &analyses)
{
	auto &loops = analyses.getResult<LoopAnalysis>(function);
	auto &aliases = analyses.getResult<AAManager>(function);
	RoundTiming timing(analyses.getResult<TargetIRAnalysis>(function));
	SmallVector<PairedLoop, 4> found;
	for (Loop *loop : loops.getLoopsInPreorder()) {
		std::optional<PairedLoop> paired = pairedLoop(*loop, aliases);
		if (paired && paysInPairs(*paired, timing, loops))
			found.push_back(*paired);
	}
	return found;
}

} // namespace weft

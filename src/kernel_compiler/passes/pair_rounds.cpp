/* SPDX-License-Identifier: MIT
 *
 * pair-rounds: a round is the loop's first block, the *chain*, which writes nothing; then perhaps other blocks, the *rest*;
 * then the latch, which counts and asks whether there is another round. A pair is both chains in one block, which ends by
 * asking whether either has a rest; then a rest and a latch for each. Asked one by one, code generation would move the second
 * chain behind the first rest, where it is needed. The second chain runs before the first rest, which must not write what that reads, and before it is
 * certain that there is a second round, if a latch reads memory: then only where all that it loads is on the page of what the
 * first round loads.
 */
#include "pair_rounds.h"

#include "internal_functions.h"
#include "register_pressure.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

/* Operations on registers: fewer a CPU looks past by itself. */
constexpr unsigned leastOperations = 128, mostOperations = 3000;
/* Instructions of a chain, which stand there three times then, and of a rest: what the scheduler has time for. */
constexpr size_t mostInstructions = 4000;
/* Two units begin one operation each in a cycle. Where the chain takes less than a third of the time that they need, a CPU
 * finds enough to do. */
constexpr unsigned numUnits = 2, chainShare = 3;
/* From one round's counters to the next one's and to addresses. */
constexpr unsigned mostCounting = 16;
constexpr uint64_t leastPage = 4096;

struct Round {
	unsigned operations = 0, latency = 0;
	unsigned registers = 0; /* of the longest vector */
};

class RoundTiming
{
      public:
	explicit RoundTiming(const TargetTransformInfo &theTarget) : target(theTarget)
	{
	}

	/* How many registers hold the value, if it is a vector that fills at least one. */
	unsigned registersOf(const Instruction &instruction) const
	{
		const auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
		if (!vector)
			return 0;
		auto bits = unsigned(vector->getScalarSizeInBits() * vector->getNumElements());
		return bits / registerBits();
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
		return target.getNumberOfRegisters(target.getRegisterClassForType(/*Vector=*/true));
	}

      private:
	unsigned registerBits() const
	{
		return unsigned(
			target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
				.getFixedValue());
	}

	static unsigned latencyOf(const Instruction &instruction)
	{
		if (isa<CastInst>(instruction))
			return 0;
		if (instruction.getOpcode() == Instruction::Mul)
			return 10;
		return instruction.getType()->isFPOrFPVectorTy() ? 4 : 1;
	}

	const TargetTransformInfo &target;
};

/* A loop in the form that is wanted. */
struct PairedLoop {
	Loop &loop;
	BasicBlock *chain, *latch, *exit;
	SmallVector<BasicBlock *, 8> rest = {};
	SmallVector<LoadInst *, 8> loads = {}; /* of the chain, at places that move */
	/* What follows from the counters alone, operands first. */
	SmallSetVector<Instruction *, 8> counting = {};
	bool latchReads = false;
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
	if (!instruction || !paired.loop.contains(instruction) ||
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

/* Whether the latch knows of the chain and the rest only what they wrote. */
bool isPlainLatch(PairedLoop &paired)
{
	auto isPlain = [&](Value *value) {
		auto *instruction = dyn_cast<Instruction>(value);
		return (instruction && instruction->getParent() == paired.latch) ||
		       addCounting(paired, value);
	};
	for (Instruction &instruction : *paired.latch) {
		const auto *load = dyn_cast<LoadInst>(&instruction);
		if (isa<PHINode>(instruction) || instruction.mayHaveSideEffects() ||
		    (instruction.mayReadFromMemory() && !load))
			return false;
		paired.latchReads |= load != nullptr;
		for (Value *operand : instruction.operand_values()) {
			if (!isa<BasicBlock>(operand) && !isPlain(operand))
				return false;
		}
	}
	return true;
}

/* Whether the next round's counters are known when a round begins, and where its chain loads from. */
bool isCounted(PairedLoop &paired)
{
	for (PHINode &phi : paired.chain->phis()) {
		if (!addCounting(paired, phi.getIncomingValueForBlock(paired.latch)))
			return false;
	}
	for (Instruction &instruction : *paired.chain) {
		auto *load = dyn_cast<LoadInst>(&instruction);
		if (!load || paired.loop.isLoopInvariant(load->getPointerOperand()))
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

/* What the chain loads, if the chain may run where there is no such round. */
bool findReads(const PairedLoop &paired, SmallVectorImpl<MemoryLocation> &reads)
{
	for (const Instruction &instruction : *paired.chain) {
		if (instruction.mayHaveSideEffects())
			return false;
		const auto *load = dyn_cast<LoadInst>(&instruction);
		if (!load && (instruction.mayReadFromMemory() ||
			      (paired.latchReads && mayTrap(instruction))))
			return false;
		/* Of another round than what is written: only which object it is says something. */
		if (load && load->getPointerAddressSpace() != ConstantSpace)
			reads.push_back(MemoryLocation::getBeforeOrAfter(load->getPointerOperand(),
									 load->getAAMetadata()));
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
	PairedLoop paired = {loop, loop.getHeader(), latch, exit, {}};
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
	if (isUsedOutside(loop) || !isCounted(paired) || !mayRunAhead(paired, aliases))
		return std::nullopt;
	return paired;
}

bool paysInPairs(const PairedLoop &paired, const RoundTiming &timing, const LoopInfo &loops)
{
	size_t restSize = 0;
	for (const BasicBlock *block : paired.rest)
		restSize += block->size();
	if (paired.chain->size() > mostInstructions || restSize > mostInstructions)
		return false;
	/* A vector in several registers is as many chains by itself. */
	Round round = timing.of(*paired.chain);
	if (round.registers > 1)
		return false;
	if (round.operations < leastOperations || round.operations > mostOperations ||
	    round.latency * numUnits * chainShare < round.operations)
		return false;
	unsigned alive = mostAlive({paired.chain}, loops, [&](const Instruction &instruction) {
		return timing.registersOf(instruction);
	});
	return alive <= timing.numRegisters();
}

/* Makes the pair beside the loop's round, which is for a last one. */
class Pairing
{
      public:
	explicit Pairing(PairedLoop &thePaired)
	    : paired(thePaired), before(paired.loop.getLoopPreheader()),
	      begin(newBlock("pair.begin")), chains(newBlock("pair.chains")),
	      withoutRests{newBlock("pair.first"), newBlock("pair.second")},
	      behindRests{newBlock("pair.rested.first"), newBlock("pair.rested.second")}
	{
	}

	void run()
	{
		makeBegin();
		makeChains();
		BasicBlock *first = makeRest(maps[0], behindRests[0]);
		BasicBlock *second = makeRest(maps[1], behindRests[1]);
		makeLatch(maps[0], behindRests[0], second);
		makeLatch(maps[1], behindRests[1], begin);
		makeLatch(maps[0], withoutRests[0], withoutRests[1]);
		makeLatch(maps[1], withoutRests[1], begin);
		IRBuilder<> builder(chains);
		Value *isRested = builder.CreateOr(hasRest(maps[0], builder),
						   builder.CreateFreeze(hasRest(maps[1], builder)));
		builder.CreateCondBr(isRested, first, withoutRests[0]);
		enterAtBegin();
	}

      private:
	BasicBlock *newBlock(const Twine &name)
	{
		return BasicBlock::Create(paired.chain->getContext(), name,
					  paired.chain->getParent(), paired.chain);
	}

	Value *next(PHINode &phi) const
	{
		return phi.getIncomingValueForBlock(paired.latch);
	}

	/* What `value` is in one of the rounds. */
	static Value *in(const ValueToValueMapTy &map, Value *value)
	{
		Value *found = map.lookup(value);
		return found ? found : value;
	}

	static Instruction *copy(Instruction &instruction, ValueToValueMapTy &map, BasicBlock *to)
	{
		Instruction *result = instruction.clone();
		result->insertInto(to, to->end());
		RemapInstruction(result, map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
		map[&instruction] = result;
		return result;
	}

	Value *hasRest(const ValueToValueMapTy &map, IRBuilder<> &builder) const
	{
		auto *branch = cast<BranchInst>(paired.chain->getTerminator());
		Value *condition = in(map, branch->getCondition());
		return branch->getSuccessor(0) == paired.latch ? builder.CreateNot(condition)
							       : condition;
	}

	/* Whether there is a round after that of `map`, as far as memory says now. */
	Value *hasNext(ValueToValueMapTy &map, BasicBlock *block);
	/* Whether that and all that the second chain loads is on a page of which the first loads. */
	Value *isOnSamePages(Value *isSame, IRBuilder<> &builder);

	/* The counters of both rounds; the loop's own round is done where there is no pair. */
	void makeBegin();
	/* Both chains, by turns. */
	void makeChains();
	/* The rest of a round, if it has one, up to `after`. Returns where it begins. */
	BasicBlock *makeRest(ValueToValueMapTy &map, BasicBlock *after);
	void makeLatch(ValueToValueMapTy &map, BasicBlock *block, BasicBlock *again);
	/* From outside, from the loop's own round, from a pair. */
	void enterAtBegin();

	PairedLoop &paired;
	BasicBlock *before, *begin, *chains, *withoutRests[2], *behindRests[2];
	ValueToValueMapTy maps[2];
};

Value *Pairing::hasNext(ValueToValueMapTy &map, BasicBlock *block)
{
	for (Instruction &instruction : *paired.latch) {
		if (!instruction.isTerminator() && !paired.counting.contains(&instruction))
			copy(instruction, map, block);
	}
	auto *branch = cast<BranchInst>(paired.latch->getTerminator());
	Value *condition = in(map, branch->getCondition());
	if (branch->getSuccessor(0) == paired.chain)
		return condition;
	return IRBuilder<>(block).CreateNot(condition);
}

Value *Pairing::isOnSamePages(Value *isSame, IRBuilder<> &builder)
{
	const DataLayout &layout = paired.chain->getDataLayout();
	for (LoadInst *load : paired.loads) {
		Type *number = layout.getIntPtrType(load->getPointerOperandType());
		Value *places[2];
		for (int round = 0; round < 2; round++)
			places[round] = builder.CreatePtrToInt(
				in(maps[round], load->getPointerOperand()), number);
		uint64_t size = layout.getTypeStoreSize(load->getType()).getFixedValue();
		Value *last = builder.CreateAdd(places[1], ConstantInt::get(number, size - 1));
		Value *apart = builder.CreateOr(builder.CreateXor(places[0], places[1]),
						builder.CreateXor(places[0], last));
		isSame = builder.CreateAnd(
			isSame, builder.CreateICmpULT(apart, ConstantInt::get(number, leastPage)));
	}
	return isSame;
}

void Pairing::makeBegin()
{
	for (PHINode &phi : paired.chain->phis())
		maps[0][&phi] = PHINode::Create(phi.getType(), 4, phi.getName(), begin);
	for (Instruction *instruction : paired.counting)
		copy(*instruction, maps[0], begin);
	for (PHINode &phi : paired.chain->phis())
		maps[1][&phi] = in(maps[0], next(phi));
	for (Instruction *instruction : paired.counting)
		copy(*instruction, maps[1], begin);
	Value *isPair = hasNext(maps[0], begin);
	IRBuilder<> builder(begin);
	if (paired.latchReads)
		isPair = isOnSamePages(isPair, builder);
	builder.CreateCondBr(isPair, chains, paired.chain);
}

void Pairing::makeChains()
{
	for (Instruction &instruction : *paired.chain) {
		if (isa<PHINode>(instruction) || instruction.isTerminator() ||
		    paired.counting.contains(&instruction))
			continue;
		copy(instruction, maps[0], chains);
		/* Of a round that there may not be, nothing is certain. */
		copy(instruction, maps[1], chains)->dropUBImplyingAttrsAndMetadata();
	}
}

BasicBlock *Pairing::makeRest(ValueToValueMapTy &map, BasicBlock *after)
{
	BasicBlock *start = newBlock("pair.rest");
	SmallVector<BasicBlock *, 8> copies = {start};
	map[paired.chain] = start;
	map[paired.latch] = after;
	copy(*paired.chain->getTerminator(), map, start);
	for (BasicBlock *block : paired.rest) {
		copies.push_back(CloneBasicBlock(block, map, ".pair", paired.chain->getParent()));
		map[block] = copies.back();
	}
	remapInstructionsInBlocks(copies, map);
	return start;
}

void Pairing::makeLatch(ValueToValueMapTy &map, BasicBlock *block, BasicBlock *again)
{
	Value *condition = hasNext(map, block);
	BranchInst::Create(again, paired.exit, condition, block);
	for (PHINode &phi : paired.exit->phis())
		phi.addIncoming(phi.getIncomingValueForBlock(paired.latch), block);
}

void Pairing::enterAtBegin()
{
	for (PHINode &phi : paired.chain->phis()) {
		auto *first = cast<PHINode>(maps[0][&phi]);
		first->addIncoming(phi.getIncomingValueForBlock(before), before);
		first->addIncoming(next(phi), paired.latch);
		first->addIncoming(in(maps[1], next(phi)), withoutRests[1]);
		first->addIncoming(in(maps[1], next(phi)), behindRests[1]);
		phi.removeIncomingValue(paired.latch, false);
		phi.setIncomingBlock(0, begin);
		phi.setIncomingValue(0, first);
	}
	before->getTerminator()->replaceSuccessorWith(paired.chain, begin);
	paired.latch->getTerminator()->replaceSuccessorWith(paired.chain, begin);
	paired.latch->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
}

} // namespace

PreservedAnalyses PairRoundsPass::run(Function &function, FunctionAnalysisManager &analyses)
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
	for (PairedLoop &paired : found)
		Pairing(paired).run();
	if (!found.empty())
		weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %zu loops do two rounds at once",
			 function.getName().str().c_str(), found.size());
	return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace weft

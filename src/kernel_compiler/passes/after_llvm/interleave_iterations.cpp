/* SPDX-License-Identifier: MIT
 *
 * interleave-iterations: a pair is both chains (interleaved_loops.h) in one block, which ends by asking whether either has a rest; then a
 * rest and a latch for each. Asked one by one, code generation would move the second chain behind the first rest, where it is
 * needed. The second chain runs before it is certain that there is a second iteration, if a latch reads memory or a rest may not
 * return: then only where all that it loads is on the page of what the first iteration loads.
 */
#include "after_llvm/interleave_iterations.h"

#include "after_llvm/interleaved_loops.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint64_t leastPage = 4096;

/* Makes the pair beside the loop's iteration, which is for a last one. */
class Pairing
{
      public:
	explicit Pairing(PairedLoop &thePaired)
	    : paired(thePaired), before(paired.loop->getLoopPreheader()),
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

	/* What `value` is in one of the iterations. */
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

	/* Whether there is an iteration after that of `map`, as far as memory says now. */
	Value *hasNext(ValueToValueMapTy &map, BasicBlock *block);
	/* Whether that and all that the second chain loads is on a page of which the first loads. */
	Value *isOnSamePages(Value *isSame, IRBuilder<> &builder);

	/* The counters of both iterations; the loop's own iteration is done where there is no pair. */
	void makeBegin();
	/* Both chains, by turns. */
	void makeChains();
	/* The rest of an iteration, if it has one, up to `after`. Returns where it begins. */
	BasicBlock *makeRest(ValueToValueMapTy &map, BasicBlock *after);
	void makeLatch(ValueToValueMapTy &map, BasicBlock *block, BasicBlock *again);
	/* Makes the loop's entry, which is reached from outside, from a single iteration, and from a pair. */
	void enterAtBegin();

	PairedLoop &paired;
	BasicBlock *before, *begin, *chains, *withoutRests[2], *behindRests[2];
	ValueToValueMapTy maps[2];
};

Value *Pairing::hasNext(ValueToValueMapTy &map, BasicBlock *block)
{
	for (Instruction &instruction : *paired.latch) {
		if (!instruction.isTerminator() && !paired.counting.contains(&instruction))
			copy(instruction, map, block)->dropUBImplyingAttrsAndMetadata();
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
		copy(*instruction, maps[1], begin)->dropPoisonGeneratingAnnotations();
	Value *isPair = hasNext(maps[0], begin);
	IRBuilder<> builder(begin);
	if (paired.mayEnd)
		isPair = builder.CreateFreeze(isOnSamePages(isPair, builder));
	builder.CreateCondBr(isPair, chains, paired.chain);
}

void Pairing::makeChains()
{
	for (Instruction &instruction : *paired.chain) {
		if (isa<PHINode>(instruction) || instruction.isTerminator() ||
		    paired.counting.contains(&instruction))
			continue;
		copy(instruction, maps[0], chains);
		/* The second iteration may not exist: what the first guarantees does not hold for it. */
		Instruction *second = copy(instruction, maps[1], chains);
		second->dropUBImplyingAttrsAndMetadata();
		if (auto *load = dyn_cast<LoadInst>(second); load && paired.mayEnd)
			load->setAlignment(Align(1));
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

PreservedAnalyses InterleaveIterationsPass::run(Function &function,
						FunctionAnalysisManager &analyses)
{
	SmallVector<PairedLoop, 4> found = findPairedLoops(function, analyses);
	if (found.empty())
		return PreservedAnalyses::all();
	for (PairedLoop &paired : found)
		Pairing(paired).run();
	weft_log(WEFT_LOG_DEBUG, "compiler", "%s: %zu loops do two rounds at once",
		 function.getName().str().c_str(), found.size());
	return PreservedAnalyses::none();
}

} // namespace weft

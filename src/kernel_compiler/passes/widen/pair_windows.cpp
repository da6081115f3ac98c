/* SPDX-License-Identifier: MIT
 *
 * pair-windows: the item loop's body up to the loop over windows is copied for the second vector, and the loop twice, into one. The second
 * vector's results wait in phis of the item loop, whose next iteration takes them instead of going through windows.
 */
#include "widen/pair_windows.h"

#include "costs/cpu_costs.h"
#include "costs/vector_registers.h"
#include "lane_code/window_marks.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <array>
#include <memory>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned chainedCycles = 4; /* of an operation in floating point */
constexpr unsigned mostBehind = 4;    /* windows */
constexpr size_t mostWork = 600;      /* operations of a window */
constexpr size_t mostBefore = 200;    /* instructions of an item loop's body, before its windows */
constexpr size_t mostVectorsOfState = 4; /* registers that an iteration hands on to the next one */

/* What a window takes. */
struct WindowTiming {
	size_t operations; /* on vectors, for each register */
	unsigned chain;    /* cycles of the longest chain from iteration to iteration */
};

bool isPrefetch(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	return call && call->getIntrinsicID() == Intrinsic::prefetch;
}

bool isWindowMemory(const Value *pointer)
{
	const auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
	const std::optional<WindowMark> mark = variable ? windowMarkOf(*variable) : std::nullopt;
	return mark && mark->role == WindowRole::Memory;
}

bool fillsWindow(const Instruction &instruction)
{
	const auto *store = dyn_cast<StoreInst>(&instruction);
	return store && store->isSimple() && isWindowMemory(store->getPointerOperand());
}

/* Whether the instruction may run before others of the work-items in front of it. */
bool mayRunEarlier(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	return !instruction.isAtomic() && !instruction.isVolatile() &&
	       !instruction.mayHaveSideEffects() && (!call || !call->isConvergent());
}

bool isArithmetic(const Value &value)
{
	const auto *call = dyn_cast<IntrinsicInst>(&value);
	return isa<FPMathOperator>(value) && (call || isa<BinaryOperator>(value));
}

class WindowPair
{
      public:
	WindowPair(Loop &theLoop, const LoopInfo &theLoops, VectorRegisters theRegisters)
	    : loop(theLoop), items(*theLoop.getParentLoop()), loops(theLoops),
	      registers(theRegisters)
	{
	}

	/* Whether the loop is one over windows, of an item loop with which this can be done. */
	bool find();
	bool pays() const;
	void run();

      private:
	/* One vector's way through the windows. */
	struct Way {
		SmallVector<PHINode *, 4> phis; /* of the loop's header, in its order */
		SmallVector<Value *, 4> starts;
		SmallVector<PHINode *, 4> ends; /* behind its window */
	};
	using Pair = std::array<Way, 2>;

	bool findBefore();
	bool findItems();
	bool takesValues() const;
	bool canRun() const;
	size_t registersOf(const Type *type) const;
	size_t workOf(const Instruction &instruction) const;
	SmallPtrSet<const Instruction *, 32> usedInstructions() const;
	unsigned chainOf() const;
	BasicBlock *copyBefore(Value &next, ValueToValueMapTy &map) const;
	BasicBlock *addWindow(Way &way, Value &runs, BasicBlock &at, ValueToValueMapTy &map) const;
	BasicBlock *addLoop(BasicBlock &from, Pair &pair, ValueToValueMapTy &map) const;
	PHINode *keep(Value &none, Value &last, BasicBlock &first, BasicBlock &done,
		      const Twine &name) const;
	Value *takeResults(BasicBlock &first, BasicBlock &done, const Pair &pair) const;

	Loop &loop, &items;
	const LoopInfo &loops;
	VectorRegisters registers;
	BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
	BasicBlock *entry = loop.getLoopPredecessor(), *after = loop.getExitBlock();
	SmallSetVector<BasicBlock *, 4> before; /* from the item loop's header to `entry` */
	PHINode *item = nullptr;
	Value *step = nullptr, *limit = nullptr; /* of the item loop */
	Value *whole = nullptr;                  /* iterations in whole windows */
	unsigned together = 0;
};

/* All that an item runs in front of the loop, without loops: it then leads to the loop or to what is behind it. It is not long: the second
 * vector runs it twice. */
bool WindowPair::findBefore()
{
	const auto *branch = dyn_cast<BranchInst>(entry->getTerminator());
	size_t size = 0;
	before.insert(items.getHeader());
	for (size_t i = 0; i < before.size(); i++) {
		BasicBlock *block = before[i];
		size += block->size();
		if (loops.getLoopFor(block) != &items || size > mostBefore)
			return false;
		if (block == entry)
			continue;
		for (BasicBlock *next : successors(block)) {
			if (next == items.getHeader() || next == after)
				return false;
			before.insert(next);
		}
	}
	return before.contains(entry) && branch && branch->isConditional() &&
	       is_contained(branch->successors(), header) &&
	       is_contained(branch->successors(), after);
}

/* An item loop has one phi, and is tested at its end. */
bool WindowPair::findItems()
{
	BasicBlock *end = items.getLoopLatch();
	const auto *branch = end ? dyn_cast<BranchInst>(end->getTerminator()) : nullptr;
	if (!items.getLoopPredecessor() || !branch || !branch->isConditional() ||
	    !hasSingleElement(items.getHeader()->phis()))
		return false;
	item = &*items.getHeader()->phis().begin();
	const auto *test = dyn_cast<ICmpInst>(branch->getCondition());
	auto *next = dyn_cast<BinaryOperator>(item->getIncomingValueForBlock(end));
	if (!test || !next || test->getPredicate() != CmpInst::ICMP_ULT ||
	    test->getOperand(0) != next || branch->getSuccessor(0) != items.getHeader() ||
	    next->getOpcode() != Instruction::Add || next->getOperand(0) != item ||
	    !isa<ConstantInt>(next->getOperand(1)))
		return false;
	step = next->getOperand(1);
	limit = test->getOperand(1);
	return items.isLoopInvariant(limit);
}

/* What is behind the loop takes an iteration's values, where there was none those of the first. */
bool WindowPair::takesValues() const
{
	auto results = after->phis(), phis = header->phis();
	if (std::distance(results.begin(), results.end()) !=
	    std::distance(phis.begin(), phis.end()))
		return false;
	for (const auto &[result, phi] : zip(results, phis)) {
		for (BasicBlock *block : {entry, latch}) {
			if (result.getIncomingValueForBlock(block) !=
			    phi.getIncomingValueForBlock(block))
				return false;
		}
	}
	return true;
}

/* Whether a second vector may go through its windows before the first one has written its results. */
bool WindowPair::canRun() const
{
	auto isLeft = [&](const User *user) {
		const auto *to = cast<Instruction>(user);
		return !loop.contains(to) && !(isa<PHINode>(to) && to->getParent() == after);
	};
	for (const BasicBlock *block : before) {
		if (!all_of(*block, mayRunEarlier))
			return false;
	}
	for (const BasicBlock *block : loop.blocks()) {
		for (const Instruction &instruction : *block) {
			if ((!mayRunEarlier(instruction) && !isPrefetch(instruction) &&
			     !fillsWindow(instruction)) ||
			    any_of(instruction.users(), isLeft))
				return false;
		}
	}
	return true;
}

bool WindowPair::find()
{
	if (!loop.isInnermost() || !latch || !entry || !after || loop.getExitingBlock() != latch ||
	    !items.contains(after))
		return false;
	const auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
	const auto *test = branch && branch->isConditional()
				   ? dyn_cast<ICmpInst>(branch->getCondition())
				   : nullptr;
	const std::optional<WindowMark> mark = test ? windowMarkOf(*test) : std::nullopt;
	if (!mark || mark->role != WindowRole::Last)
		return false;
	together = mark->together;
	whole = test->getOperand(1);
	const auto *number = dyn_cast<ConstantInt>(whole);
	if (number && number->getZExtValue() <= together)
		return false;
	return findBefore() && findItems() && takesValues() && canRun();
}

size_t WindowPair::registersOf(const Type *type) const
{
	const auto bits = type->getPrimitiveSizeInBits().getFixedValue();
	return type->isVectorTy() ? divideCeil(bits, registers.bits) : 0;
}

/* Splats are operands, and windows are values later. */
size_t WindowPair::workOf(const Instruction &instruction) const
{
	const auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
	const auto *load = dyn_cast<LoadInst>(&instruction);
	if (isa<PHINode, InsertElementInst>(instruction) ||
	    (shuffle && shuffle->isZeroEltSplat()) ||
	    (load && isWindowMemory(load->getPointerOperand())))
		return 0;
	return registersOf(instruction.getType());
}

/* Those that do something for another iteration, or for what is behind the loop. Other code is not removed yet. */
SmallPtrSet<const Instruction *, 32> WindowPair::usedInstructions() const
{
	SmallPtrSet<const Instruction *, 32> used;
	SmallVector<const Instruction *, 32> left;
	auto use = [&](const Value *value) {
		const auto *instruction = dyn_cast<Instruction>(value);
		if (instruction && loop.contains(instruction) && used.insert(instruction).second)
			left.push_back(instruction);
	};
	for (const BasicBlock *block : loop.blocks()) {
		use(block->getTerminator());
		for (const Instruction &instruction : *block) {
			if (instruction.mayHaveSideEffects())
				use(&instruction);
		}
	}
	for (const PHINode &phi : header->phis())
		use(phi.getIncomingValueForBlock(latch));
	while (!left.empty())
		for_each(left.pop_back_val()->operands(), use);
	return used;
}

/* Of the longest chain of arithmetic in floating point. Blocks are in the loop's order. */
unsigned WindowPair::chainOf() const
{
	DenseMap<const Value *, unsigned> times;
	for (const PHINode &phi : header->phis())
		times[&phi] = 0;
	for (const BasicBlock *block : loop.blocks()) {
		for (const Instruction &instruction : *block) {
			std::optional<unsigned> ready;
			for (const Value *operand : instruction.operand_values()) {
				auto found = times.find(operand);
				if (found != times.end())
					ready = std::max(ready.value_or(0), found->second);
			}
			if (ready && !(isa<PHINode>(instruction) && block == header))
				times[&instruction] =
					*ready + (isArithmetic(instruction) ? chainedCycles : 0);
		}
	}
	unsigned longest = 0;
	for (const PHINode &phi : header->phis())
		longest = std::max(longest, times.lookup(phi.getIncomingValueForBlock(latch)));
	return longest;
}

/* Where the chain is longer than the work, and both vectors' values fit in registers. */
bool WindowPair::pays() const
{
	size_t state = 0, work = 0;
	for (const PHINode &phi : header->phis())
		state += registersOf(phi.getType());
	for (const Instruction *instruction : usedInstructions())
		work += workOf(*instruction);
	return state <= mostVectorsOfState && work <= mostWork && chainOf() > work / vectorsOfCycle;
}

/* For the second vector, whose first item is `next`. Returns the copy of `entry`, which has no branch. */
BasicBlock *WindowPair::copyBefore(Value &next, ValueToValueMapTy &map) const
{
	SmallVector<BasicBlock *, 4> copies;
	for (BasicBlock *block : before) {
		copies.push_back(CloneBasicBlock(block, map, ".second", block->getParent()));
		copies.back()->moveBefore(header);
		map[block] = copies.back();
	}
	cast<PHINode>(map[item])->eraseFromParent();
	map[item] = &next;
	auto *end = cast<BasicBlock>(map[entry]);
	end->getTerminator()->eraseFromParent();
	remapInstructionsInBlocks(copies, map);
	return end;
}

/* Behind `at`, one window, if it is one that the vector runs. Returns the block behind it, which has no branch. */
BasicBlock *WindowPair::addWindow(Way &way, Value &runs, BasicBlock &at,
				  ValueToValueMapTy &map) const
{
	SmallVector<BasicBlock *, 32> copies;
	for (BasicBlock *block : loop.blocks()) {
		copies.push_back(CloneBasicBlock(block, map, ".pair", header->getParent()));
		copies.back()->moveBefore(header);
		map[block] = copies.back();
	}
	for (auto [phi, own] : zip(header->phis(), way.phis)) {
		cast<PHINode>(map[&phi])->eraseFromParent();
		map[&phi] = own;
	}
	auto *start = cast<BasicBlock>(map[header]), *end = cast<BasicBlock>(map[latch]);
	end->getTerminator()->eraseFromParent();
	for (BasicBlock *copy : copies) {
		for (Instruction &instruction : make_early_inc_range(*copy)) {
			if (isPrefetch(instruction))
				instruction.eraseFromParent();
		}
	}
	remapInstructionsInBlocks(copies, map);
	auto *done = BasicBlock::Create(header->getContext(), "pair.window", header->getParent(),
					header);
	BranchInst::Create(done, end);
	BranchInst::Create(start, done, &runs, &at);
	IRBuilder<> builder(done);
	for (auto [phi, own] : zip(header->phis(), way.phis)) {
		Value *next = phi.getIncomingValueForBlock(latch);
		Value *last = map.lookup(next);
		way.ends.push_back(builder.CreatePHI(phi.getType(), 2, phi.getName() + ".pair"));
		way.ends.back()->addIncoming(own, &at);
		way.ends.back()->addIncoming(last ? last : next, end);
	}
	return done;
}

/* The loop over windows of both vectors, which leads to what is behind the loop. `map` has the second vector's values. Returns its last
 * block. */
BasicBlock *WindowPair::addLoop(BasicBlock &from, Pair &pair, ValueToValueMapTy &map) const
{
	auto *start = BasicBlock::Create(header->getContext(), "pair", header->getParent(), header);
	IRBuilder<> builder(&from);
	Value *fewer = builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.CreateLShr(whole, 2),
						     builder.getInt64(mostBehind * together));
	Value *behind = builder.CreateAnd(fewer, -uint64_t(together), "behind");
	Value *all = builder.CreateNUWAdd(whole, behind);
	builder.CreateBr(start);
	builder.SetInsertPoint(start);
	PHINode *turn = builder.CreatePHI(builder.getInt64Ty(), 2, "turn");
	turn->addIncoming(builder.getInt64(0), &from);
	for (Way &way : pair) {
		for (auto [phi, value] : zip(header->phis(), way.starts)) {
			way.phis.push_back(
				builder.CreatePHI(phi.getType(), 2, phi.getName() + ".pair"));
			way.phis.back()->addIncoming(value, &from);
		}
	}
	ValueToValueMapTy own;
	BasicBlock *middle = addWindow(pair[0], *builder.CreateICmpULT(turn, whole), *start, own);
	builder.SetInsertPoint(middle);
	BasicBlock *end = addWindow(pair[1], *builder.CreateICmpUGE(turn, behind), *middle, map);
	builder.SetInsertPoint(end);
	Value *next = builder.CreateNUWAdd(turn, builder.getInt64(together));
	builder.CreateCondBr(builder.CreateICmpEQ(next, all), after, start);
	turn->addIncoming(next, end);
	for (const Way &way : pair) {
		for (auto [phi, last] : zip(way.phis, way.ends))
			phi->addIncoming(last, end);
	}
	return end;
}

/* A phi at the beginning of the item loop's body, of what the second vector hands on from the loop `done`, and none else. */
PHINode *WindowPair::keep(Value &none, Value &last, BasicBlock &first, BasicBlock &done,
			  const Twine &name) const
{
	BasicBlock *start = items.getHeader();
	PHINode *kept = PHINode::Create(none.getType(), 2, name, start->begin());
	PHINode *next = PHINode::Create(none.getType(), 4, name + ".next", after->begin());
	for (BasicBlock *block : {entry, &first, latch})
		next->addIncoming(&none, block);
	next->addIncoming(&last, &done);
	kept->addIncoming(&none, items.getLoopPredecessor());
	kept->addIncoming(next, items.getLoopLatch());
	return kept;
}

/* Behind the windows: the first vector's values from the loop `done`. The second one's are those of the item loop's next iteration, which
 * comes there from `entry`; others from `first`. Returns whether an iteration is such a one. */
Value *WindowPair::takeResults(BasicBlock &first, BasicBlock &done, const Pair &pair) const
{
	SmallVector<PHINode *, 4> results;
	for (PHINode &phi : after->phis())
		results.push_back(&phi);
	for (auto [result, ofFirst, ofSecond] : zip(results, pair[0].ends, pair[1].ends)) {
		PHINode *kept = keep(*PoisonValue::get(result->getType()), *ofSecond, first, done,
				     result->getName() + ".kept");
		result->addIncoming(result->getIncomingValueForBlock(entry), &first);
		result->setIncomingValueForBlock(entry, kept);
		result->addIncoming(ofFirst, &done);
	}
	LLVMContext &context = header->getContext();
	return keep(*ConstantInt::getFalse(context), *ConstantInt::getTrue(context), first, done,
		    "waits");
}

void WindowPair::run()
{
	LLVMContext &context = header->getContext();
	auto newBlock = [&](const char *name) {
		return BasicBlock::Create(context, name, header->getParent(), header);
	};
	BasicBlock *first = newBlock("pair.first"), *more = newBlock("pair.more");
	Pair pair;
	IRBuilder<> builder(more);
	Value *next = builder.CreateNUWAdd(item, step, "second");
	ValueToValueMapTy map;
	BasicBlock *second = copyBefore(*next, map);
	BasicBlock *start = newBlock("pair.start"), *alone = newBlock("pair.alone");
	builder.CreateCondBr(builder.CreateICmpULT(next, limit),
			     cast<BasicBlock>(map[items.getHeader()]), alone);
	builder.SetInsertPoint(second);
	Value *ofSecond = map.lookup(whole);
	builder.CreateCondBr(builder.CreateICmpEQ(whole, ofSecond ? ofSecond : whole), start,
			     alone);
	for (PHINode &phi : header->phis()) {
		Value *value = phi.getIncomingValueForBlock(entry), *own = map.lookup(value);
		pair[0].starts.push_back(value);
		pair[1].starts.push_back(own ? own : value);
	}
	BasicBlock *done = addLoop(*start, pair, map);

	Value *waits = takeResults(*first, *done, pair);
	for (PHINode &phi : header->phis())
		phi.replaceIncomingBlockWith(entry, alone);
	BranchInst::Create(header, alone);
	entry->getTerminator()->replaceSuccessorWith(header, more);
	entry->getTerminator()->moveBefore(*first, first->end());
	BranchInst::Create(after, first, waits, entry);
}

} // namespace

PreservedAnalyses PairWindowsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!hasWindows(function))
		return PreservedAnalyses::all();
	const VectorRegisters registers =
		vectorRegisters(analyses.getResult<TargetIRAnalysis>(function));
	SmallVector<std::unique_ptr<WindowPair>, 2> found;
	const auto &loops = analyses.getResult<LoopAnalysis>(function);
	for (Loop *loop : loops.getLoopsInPreorder()) {
		if (!loop->getParentLoop())
			continue;
		auto pair = std::make_unique<WindowPair>(*loop, loops, registers);
		if (pair->find() && pair->pays())
			found.push_back(std::move(pair));
	}
	for (const auto &pair : found)
		pair->run();
	return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * Widened bodies and the loops around them:
 *
 *   before → widened loop, x in steps of the width → after → rest → the item loop for the last items
 *   before → rest                                     after → on
 *
 * or in place of the item loop, with a mask:
 *
 *   before → widened body → on
 *
 * or in place of the whole nest, over the linear ids in steps of the width, with a mask:
 *
 *   before → widened loop → after the nest
 */
#include "widen/loop_widener.h"

#include "functions/internal_functions.h"
#include "ir/variables.h"
#include "kernel/apart.h"
#include "lane_code/lane_vectors.h"
#include "lanes/lane_elements.h"

#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace weft
{

/* As many vectors of work-items run one after the other between two tests whether they should: at first, and where each test says so, four
 * times as many each time. */
constexpr unsigned vectorsAlone = 16, mostAlone = 256;

LoopWidener::LoopWidener(ItemLoop &theItem, const LaneShapes &theShapes,
			 const WideAccesses &theAccesses, const LanePlan &plan,
			 const TargetTransformInfo &target, WideVariables &theVariables)
    : item(theItem), shapes(theShapes), accesses(theAccesses), wideVariables(theVariables),
      width(theShapes.lanes()), body(item, shapes, plan, target),
      values(body, [this](IRBuilder<> &at,
			  Instruction &instruction) { return operations.widen(at, instruction); }),
      masks(body, values), operations(body, values, masks), laneByLane(body, values, masks),
      uniformUpdates(body, values, masks), branches(body, values, masks),
      memory(branches, laneByLane, accesses.costs), groups(branches, memory), windows(memory),
      subgroups(body, values, masks), images(body, values, masks), exits(body, values, masks),
      collected(exits), control(exits, collected), builder(body.builder)
{
}

bool LoopWidener::isPossible() const
{
	uint64_t stack = 0;
	for (const Instruction &instruction : body.function.getEntryBlock()) {
		const auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (variable && isPrivate(*variable))
			stack += width * sizeOfVariable(*variable);
	}
	if (stack > stackBudget)
		return false;
	return all_of(shapes.blocks(), [&](BasicBlock *block) {
		return all_of(block->phis(), [&](PHINode &phi) {
			return shapes.of(&phi).isLinear() || laneElements(*phi.getType());
		});
	});
}

void LoopWidener::finish(const DominatorTree &dominators, SmallVectorImpl<AllocaInst *> &variables)
{
	control.fillMissingValues(dominators);
	exits.addVariables(variables);
	collected.addVariables(variables);
}

/* ---- around the body ---------------------------------------------------------------------------------- */

/* Copies the item loop: for (x = first; x < end; x++), from the builder's place to a new block. Returns its end. */
static void copyItemLoop(const ItemLoop &item, IRBuilder<> &builder, Value *first, Value *end)
{
	ValueToValueMapTy map;
	SmallVector<BasicBlock *, 16> made;
	BasicBlock *before = builder.GetInsertBlock();
	Function &function = *before->getParent();
	for (BasicBlock *block : item.loop->blocks()) {
		made.push_back(CloneBasicBlock(block, map, ".alone", &function));
		made.back()->moveBefore(item.header);
		map[block] = made.back();
	}
	auto *after =
		BasicBlock::Create(builder.getContext(), "alone.after", &function, item.header);
	map[item.after] = after;
	map[item.before] = before;
	auto *latch = cast<BasicBlock>(map.lookup(item.latch));
	for (BasicBlock *block : made) {
		for (Instruction &instruction : *block)
			RemapInstruction(&instruction, map,
					 RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
	}
	cast<PHINode>(map.lookup(item.x))->setIncomingValueForBlock(before, first);
	Instruction *branch = latch->getTerminator();
	branch->setMetadata(itemLoopMetadata, nullptr);
	branch->setMetadata(LLVMContext::MD_loop, nullptr);
	markSingleLoop(*latch);
	auto *next = cast<PHINode>(map.lookup(item.x))->getIncomingValueForBlock(latch);
	auto *header = cast<BasicBlock>(map.lookup(item.header));
	builder.SetInsertPoint(branch);
	Value *isLeft = builder.CreateICmpULT(next, end);
	Instruction *again = builder.CreateCondBr(isLeft, header, after);
	again->copyMetadata(*branch);
	branch->eraseFromParent();
	builder.SetInsertPoint(before);
	builder.CreateBr(header);
	builder.SetInsertPoint(after);
}

/* Where the vector that has just run would have been done earlier one work-item after the other, those behind it are, as many as `items`,
 * a phi of the loop's start, says, and the vector after them is the next test. Returns where that begins. */
Value *LoopWidener::createScalars(Value *first, Value *limit, const UnevenLoop &uneven,
				  PHINode &items)
{
	Value *wide = builder.CreateMul(exits.rounds(), builder.getInt32(uneven.wide));
	Value *scalar = builder.CreateMul(exits.laneRounds(), builder.getInt32(uneven.scalar));
	scalar = builder.CreateAdd(scalar, builder.getInt32(uneven.leaving * width));
	BasicBlock *from = builder.GetInsertBlock();
	auto newBlock = [&](const Twine &name) {
		return BasicBlock::Create(builder.getContext(), name, &body.function, item.header);
	};
	BasicBlock *alone = newBlock("alone"), *some = newBlock("alone.some"),
		   *on = newBlock("alone.on");
	builder.CreateCondBr(builder.CreateICmpUGT(wide, scalar), alone, on);
	builder.SetInsertPoint(alone);
	Value *end = builder.CreateNUWAdd(first, &items);
	end = builder.CreateBinaryIntrinsic(Intrinsic::umin, end, limit);
	Value *more = builder.CreateBinaryIntrinsic(Intrinsic::umin,
						    builder.CreateShl(&items, 2, "", true),
						    builder.getInt64(uint64_t(width) * mostAlone));
	builder.CreateCondBr(builder.CreateICmpULT(first, end), some, on);
	builder.SetInsertPoint(some);
	copyItemLoop(item, builder, first, end);
	BasicBlock *last = builder.GetInsertBlock();
	builder.CreateBr(on);
	builder.SetInsertPoint(on);
	PHINode *next = builder.CreatePHI(builder.getInt64Ty(), 3, "x.next");
	next->addIncoming(first, from);
	next->addIncoming(first, alone);
	next->addIncoming(end, last);
	PHINode *then = builder.CreatePHI(builder.getInt64Ty(), 3, "items.alone.next");
	Value *fewest = builder.getInt64(uint64_t(width) * vectorsAlone);
	then->addIncoming(fewest, from);
	then->addIncoming(more, alone);
	then->addIncoming(more, last);
	items.addIncoming(fewest, &body.before());
	items.addIncoming(then, on);
	return next;
}

/* Whether the work-items from `from` on, fewer than lanes, become a vector. */
Value *LoopWidener::mayRepeat(Value *from, const RepeatedItems &repeated)
{
	Value *left = builder.CreateSub(item.size, from);
	Value *may = builder.CreateICmpUGE(left, builder.getInt64(repeated.least));
	return repeated.ifApart ? builder.CreateAnd(createApart(builder), may) : may;
}

/* Vectors from `first` to `limit`, or the last work-items at once, if vectors before have left no more. `first` and `limit` become those of
 * the loop, which is entered a second time for the last work-items. */
void LoopWidener::enterTwice(Value *fits, Value *&first, Value *&limit, BasicBlock &rest,
			     const RepeatedItems &repeated)
{
	BasicBlock *before = builder.GetInsertBlock();
	BasicBlock *start = body.startOf(item.header);
	auto *enter = BasicBlock::Create(builder.getContext(), "wide.enter", &body.function, start);
	Value *from = first, *to = limit, *enters = fits;
	if (first != repeated.first) {
		Value *all = builder.CreateSub(item.size, repeated.first);
		Value *may = builder.CreateAnd(builder.CreateICmpUGE(all, builder.getInt64(width)),
					       mayRepeat(first, repeated));
		Value *last = builder.CreateSub(item.size, builder.getInt64(width));
		from = builder.CreateSelect(fits, first, last);
		to = builder.CreateSelect(fits, limit, item.size);
		enters = builder.CreateOr(fits, may);
	}
	builder.CreateCondBr(enters, enter, &rest);
	builder.SetInsertPoint(enter);
	PHINode *firsts = builder.CreatePHI(builder.getInt64Ty(), 2, "x.first");
	PHINode *limits = builder.CreatePHI(builder.getInt64Ty(), 2, "x.limit");
	firsts->addIncoming(from, before);
	limits->addIncoming(to, before);
	builder.CreateBr(start);
	first = firsts;
	limit = limits;
}

/* Behind the vectors that `entry` leads to. Returns the block that leads to the rest. */
BasicBlock *LoopWidener::enterAgain(BasicBlock &after, BasicBlock &entry, BasicBlock &rest,
				    const RepeatedItems &repeated)
{
	auto *again = BasicBlock::Create(builder.getContext(), "wide.again", &body.function, &rest);
	after.getTerminator()->replaceSuccessorWith(&rest, again);
	auto &firsts = *cast<PHINode>(entry.begin());
	auto &limits = *cast<PHINode>(firsts.getNextNode());
	builder.SetInsertPoint(again);
	firsts.addIncoming(builder.CreateSub(item.size, builder.getInt64(width)), again);
	limits.addIncoming(item.size, again);
	builder.CreateCondBr(mayRepeat(&limits, repeated), &entry, &rest);
	markSingleLoop(*again);
	return again;
}

BasicBlock &LoopWidener::createMainLoop(const RowDistances *rows, uint64_t least,
					const UnevenLoop *uneven, const RepeatedItems *repeated)
{
	if (uneven)
		exits.countRounds(*uneven->loop);
	body.createBlocks();
	BasicBlock *before = &body.before(), *start = body.startOf(item.header);
	auto *after =
		BasicBlock::Create(builder.getContext(), "wide.after", &body.function, item.header);
	auto *rest =
		BasicBlock::Create(builder.getContext(), "wide.rest", &body.function, item.header);
	item.before->getTerminator()->replaceSuccessorWith(item.header, before);
	Value *limit = builder.CreateAnd(item.size, builder.getInt64(~uint64_t(width - 1)));
	Value *fits = builder.CreateICmpULT(item.first, limit);
	if (least > 0) {
		Value *many = builder.CreateICmpUGE(item.size, builder.getInt64(least));
		fits = builder.CreateAnd(fits, many);
	}
	if (Value *areGood = rows ? rows->areGood(builder) : nullptr)
		fits = builder.CreateAnd(fits, areGood);
	Value *first = item.first, *end = limit;
	if (repeated)
		enterTwice(fits, first, end, *rest, *repeated);
	else
		builder.CreateCondBr(fits, start, rest);
	BasicBlock *entry = builder.GetInsertBlock();
	builder.SetInsertPoint(after);
	builder.CreateCondBr(builder.CreateICmpULT(end, item.size), rest, item.after);
	BasicBlock *left = repeated ? enterAgain(*after, *entry, *rest, *repeated) : after;

	emitBody();
	auto *x = cast<PHINode>(values.scalarOf(item.x));
	Value *next = builder.CreateNUWAdd(x, builder.getInt64(width));
	if (uneven) {
		PHINode *items =
			PHINode::Create(builder.getInt64Ty(), 2, "items.alone", start->begin());
		next = createScalars(next, limit, *uneven, *items);
	}
	BasicBlock *latch = builder.GetInsertBlock();
	x->addIncoming(first, entry);
	x->addIncoming(next, latch);
	builder.CreateCondBr(builder.CreateICmpULT(next, end), start, after);
	control.connectPhis();

	builder.SetInsertPoint(rest);
	PHINode *restFirst = builder.CreatePHI(builder.getInt64Ty(), 2, "x.rest");
	restFirst->addIncoming(item.first, before);
	restFirst->addIncoming(end, left);
	builder.CreateBr(item.header);
	item.x->replaceIncomingBlockWith(item.before, rest);
	item.x->setIncomingValueForBlock(rest, restFirst);
	item.before = rest;
	item.first = restFirst;
	return *latch;
}

/* In the place of the item loop; `mask` makes the header's mask. */
void LoopWidener::createOnce(function_ref<void()> mask)
{
	body.createBlocks();
	item.before->getTerminator()->replaceSuccessorWith(item.header, &body.before());
	values.setScalar(item.x, item.first);
	mask();
	builder.CreateBr(body.startOf(item.header));
	emitBody();
	builder.CreateBr(item.after);
	control.connectPhis();
}

void LoopWidener::createWhole()
{
	createOnce([] {});
}

void LoopWidener::createMaskedTail()
{
	createOnce([&] {
		masks.set(item.header, masks.lanesBelow(builder.CreateSub(item.size, item.first)));
	});
}

/* Groups have far fewer work-items than a float can count, so a quotient of floats is exact when it is truncated. */
void LoopWidener::placeIds(const ItemNest &nest, Value *linear)
{
	auto *numbers = body.vectorType(builder.getInt32Ty());
	auto *ids = body.vectorType(builder.getInt64Ty());
	auto *fractions = body.vectorType(builder.getFloatTy());
	Value *rest = stepped(builder, builder.CreateTrunc(linear, builder.getInt32Ty()), 1, width);
	auto divide = [&](Value *divisor) {
		Value *parts = builder.CreateVectorSplat(
			width, builder.CreateTrunc(divisor, builder.getInt32Ty()));
		Value *quotient = builder.CreateFPToUI(
			builder.CreateFDiv(builder.CreateUIToFP(rest, fractions),
					   builder.CreateUIToFP(parts, fractions)),
			numbers);
		Value *id = builder.CreateSub(rest, builder.CreateMul(quotient, parts));
		rest = quotient;
		return builder.CreateZExt(id, ids);
	};
	values.setVector(item.x, divide(item.size));
	values.setVector(nest.y, divide(nest.sizeY));
	values.setVector(nest.z, builder.CreateZExt(rest, ids));
}

BasicBlock &LoopWidener::createLinearLoop(const ItemNest &nest)
{
	body.createBlocks();
	BasicBlock *before = &body.before(), *start = body.startOf(item.header);
	Value *total = builder.CreateNUWMul(item.size, builder.CreateNUWMul(nest.sizeY, nest.sizeZ),
					    "group.items");
	builder.CreateBr(start);
	builder.SetInsertPoint(start);
	PHINode *linear = builder.CreatePHI(builder.getInt64Ty(), 2, "linear");
	linear->addIncoming(builder.getInt64(0), before);
	masks.set(item.header, masks.lanesBelow(builder.CreateBinaryIntrinsic(
				       Intrinsic::umin, builder.CreateSub(total, linear),
				       builder.getInt64(width))));
	placeIds(nest, linear);

	emitBody();
	Value *next = builder.CreateNUWAdd(linear, builder.getInt64(width));
	linear->addIncoming(next, builder.GetInsertBlock());
	builder.CreateCondBr(builder.CreateICmpULT(next, total), start, nest.after);
	control.connectPhis();
	return *before;
}

/* ---- the body ------------------------------------------------------------------------------------------- */

/* Each lane has its copy: whole variables one after the other, or element by element (LaneShapes). */
void LoopWidener::placeVariables()
{
	SmallVector<AllocaInst *, 8> variables;
	for (Instruction &instruction : body.function.getEntryBlock()) {
		auto *variable = dyn_cast<AllocaInst>(&instruction);
		if (variable && isPrivate(*variable) && any_of(variable->users(), [&](User *user) {
			    return item.loop->contains(cast<Instruction>(user));
		    }))
			variables.push_back(variable);
	}
	for (AllocaInst *variable : variables) {
		AllocaInst *&wide = wideVariables[variable];
		if (!wide) {
			uint64_t size = alignTo(sizeOfVariable(*variable), variable->getAlign());
			auto *type = ArrayType::get(builder.getInt8Ty(), size * width);
			wide = body.newVariable(type, variable->getName() + ".wide");
			wide->setAlignment(std::max(variable->getAlign(), Align(64)));
		}
		values.setScalar(variable, wide);
	}
}

void LoopWidener::emitBody()
{
	placeVariables();
	exits.find();
	collected.find();
	for (const BasicBlock *block : shapes.blocks()) {
		control.beginBlock(*block);
		for (Instruction &instruction : *body.current().block) {
			if (!isa<PHINode>(instruction) && !instruction.isTerminator())
				emit(instruction);
		}
		control.endBlock();
	}
	builder.SetInsertPoint(body.endOf(item.latch));
}

/* What says something to the optimiser alone, and would be wrong or useless about a vector. */
static bool isHint(const Instruction &instruction)
{
	const auto *call = dyn_cast<IntrinsicInst>(&instruction);
	if (!call)
		return false;
	switch (call->getIntrinsicID()) {
	case Intrinsic::assume:
	case Intrinsic::lifetime_start:
	case Intrinsic::lifetime_end:
	case Intrinsic::experimental_noalias_scope_decl:
	case Intrinsic::invariant_start:
	case Intrinsic::invariant_end:
		return true;
	default:
		return isa<DbgInfoIntrinsic>(call);
	}
}

void LoopWidener::emit(Instruction &instruction)
{
	if (isHint(instruction))
		return;
	builder.SetCurrentDebugLocation(instruction.getDebugLoc());
	if (isLanesBetween(instruction))
		operations.emitLanesBetween(cast<CallInst>(instruction));
	else if (isFirstLane(instruction))
		operations.emitFirstLane(cast<CallInst>(instruction));
	else if (std::optional<SubgroupFunction> what = subgroupCallOf(instruction))
		subgroups.emit(cast<CallInst>(instruction), *what);
	else if (instruction.getType()->isVoidTy() || !shapes.of(&instruction).isLinear())
		emitVector(instruction);
	else
		operations.emitLinear(instruction);
}

void LoopWidener::emitVector(Instruction &instruction)
{
	auto *call = dyn_cast<MemIntrinsic>(&instruction);
	if (auto *load = dyn_cast<LoadInst>(&instruction))
		emitLoad(*load);
	else if (auto *store = dyn_cast<StoreInst>(&instruction))
		emitStore(*store);
	else if (isa<FenceInst>(instruction) || (call && all_of(call->args(), [&](const Use &use) {
							 return shapes.isUniform(use);
						 })))
		operations.emitScalar(instruction); /* once for all lanes: each would do this */
	else if (isUniformUpdate(instruction, shapes))
		uniformUpdates.emit(cast<AtomicRMWInst>(instruction));
	else if (isLocalUpdate(instruction))
		branches.byMask(
			masks.ofCurrent(), {&instruction},
			[&] { laneByLane.emitUpdates(cast<AtomicRMWInst>(instruction)); },
			[&] { laneByLane.emitLoop(instruction); });
	else if (!images.emit(instruction) && !operations.emitVector(instruction))
		laneByLane.emitLoop(instruction);
}

void LoopWidener::emitLoad(LoadInst &load)
{
	if (const AccessGroup *group = accesses.groups.of(load))
		groups.emit(*group, load);
	else if (const TransposableLoad *transposed = accesses.transposed.of(load))
		windows.emit(*transposed);
	else
		memory.emitLoad(load);
}

void LoopWidener::emitStore(StoreInst &store)
{
	if (store.isSimple() && shapes.isUniform(store.getPointerOperand()) &&
	    shapes.isUniform(store.getValueOperand()))
		operations.emitScalar(store);
	else if (const AccessGroup *group = accesses.groups.of(store))
		groups.emit(*group, store);
	else
		memory.emitStore(store);
}

} // namespace weft

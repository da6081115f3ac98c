/* SPDX-License-Identifier: MIT
 *
 * The control flow and the masks of a widened body.
 */
#include "widen/loop_widener.h"

#include "ir/variables.h"
#include "lanes/lane_elements.h"

#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace weft
{

LoopWidener::LoopWidener(ItemLoop &theItem, const LaneShapes &theShapes,
			 const WideAccesses &accesses, const LanePlan &thePlan,
			 const TargetTransformInfo &theTarget, WideVariables &theVariables)
    : item(theItem), shapes(theShapes), groups(accesses.groups), walks(accesses.walks),
      plan(thePlan), target(theTarget), scattered(accesses.costs), width(theShapes.lanes()),
      wideVariables(theVariables), function(*theItem.header->getParent()),
      context(function.getContext()), layout(function.getDataLayout()), builder(context)
{
}

bool LoopWidener::isPossible() const
{
	uint64_t stack = 0;
	for (const Instruction &instruction : function.getEntryBlock()) {
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
	repair(dominators);
	for (auto &[edge, leavers] : leaving) {
		variables.push_back(leavers.mask);
		for (auto &[value, variable] : leavers.values) {
			if (!is_contained(variables, variable))
				variables.push_back(variable);
		}
	}
}

/* ---- private variables ------------------------------------------------------------------------------ */

/* Each lane its own: whole variables one after the other, or element by element. */
void LoopWidener::placeVariables()
{
	SmallVector<AllocaInst *, 8> variables;
	for (Instruction &instruction : function.getEntryBlock()) {
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
			wide = newVariable(type, variable->getName() + ".wide");
			wide->setAlignment(std::max(variable->getAlign(), Align(64)));
		}
		scalars[variable] = wide;
	}
}

/* ---- lanes that leave loops ----------------------------------------------------------------------- */

/* Edges of one loop to one block that bring the same value keep it together. */
void LoopWidener::findLeavers()
{
	std::map<std::tuple<BasicBlock *, const Loop *, Value *>, AllocaInst *> kept;
	for (BasicBlock *block : shapes.blocks()) {
		for (BasicBlock *successor : successors(block)) {
			const Loop *loop = plan.leaves(block, successor);
			if (!loop || leaving.count({block, successor}))
				continue;
			Leavers &leavers = leaving[{block, successor}];
			leavers.outermost = loop;
			leavers.mask = newVariable(vectorType(builder.getInt1Ty()), "left");
			for (PHINode &phi : successor->phis()) {
				Value *value = phi.getIncomingValueForBlock(block);
				auto *inside = dyn_cast<Instruction>(value);
				if (!inside || !loop->contains(inside))
					continue;
				AllocaInst *&variable = kept[{successor, loop, value}];
				if (!variable)
					variable =
						newVariable(vectorType(value->getType()), "kept");
				leavers.values[value] = variable;
			}
		}
	}
}

/* In each round of the loop around it nobody has left a loop yet, whether it is come to or jumped over. */
void LoopWidener::startLeavers(const Loop &around)
{
	for (auto &[edge, leavers] : leaving) {
		if (leavers.outermost->getParentLoop() != &around)
			continue;
		builder.CreateStore(Constant::getNullValue(leavers.mask->getAllocatedType()),
				    leavers.mask);
		for (auto &[value, variable] : leavers.values)
			builder.CreateStore(PoisonValue::get(variable->getAllocatedType()),
					    variable);
	}
}

/* Of the lanes that are here those in the mask leave. The others' values are kept with theirs: a lane that leaves later comes
 * here again, or by another edge. */
void LoopWidener::leave(Value *mask, const LaneNode &here, const Leavers &leavers)
{
	Value *old = builder.CreateLoad(leavers.mask->getAllocatedType(), leavers.mask);
	builder.CreateStore(builder.CreateOr(old, mask), leavers.mask);
	Value *lanes = maskOf(here.block);
	for (auto &[value, variable] : leavers.values) {
		Value *kept = builder.CreateLoad(variable->getAllocatedType(), variable);
		Value *vector = vectorOf(value);
		builder.CreateStore(lanes ? selected(builder, lanes, vector, kept) : vector,
				    variable);
	}
}

/* ---- masks ------------------------------------------------------------------------------------------ */

Value *LoopWidener::maskOf(const BasicBlock *block) const
{
	const BasicBlock *owner = plan.at(block).maskOwner;
	return owner ? masks.lookup(owner) : nullptr;
}

Value *LoopWidener::asMask(Value *value)
{
	maskValues.insert(value);
	return value;
}

Value *LoopWidener::allLanes()
{
	return Constant::getAllOnesValue(vectorType(builder.getInt1Ty()));
}

Value *LoopWidener::bitsOf(Value *mask)
{
	return builder.CreateBitCast(mask, builder.getIntNTy(width));
}

/* Asked where the mask is made: where that was jumped over there is none, which LLVM then sees. */
Value *LoopWidener::isAny(Value *mask)
{
	Value *&any = anyOf[mask];
	if (any)
		return any;
	IRBuilder<> at(context);
	placeBehind(at, mask);
	Value *bits = at.CreateBitCast(mask, at.getIntNTy(width));
	any = asMask(at.CreateICmpNE(bits, Constant::getNullValue(bits->getType()), "any"));
	return any;
}

Value *LoopWidener::firstLane(Value *mask)
{
	Value *bits = bitsOf(mask);
	Value *lane = builder.CreateBinaryIntrinsic(Intrinsic::cttz, bits, builder.getFalse());
	return builder.CreateZExtOrTrunc(lane, builder.getInt64Ty(), "first.lane");
}

bool LoopWidener::needsEdgeMask(const BasicBlock *from, const BasicBlock *to) const
{
	const LaneNode &node = plan.at(to);
	bool isHeader = node.block == node.loop->getHeader();
	if (isHeader)
		return false;
	return node.maskOwner == to || plan.leaves(from, to) ||
	       (!node.keepsEdges && isa<PHINode>(to->front()));
}

/* Which lanes go from one block to the other, if all were in the first; NULL: all. */
Value *LoopWidener::conditionOf(const BasicBlock *from, const BasicBlock *to)
{
	const Instruction *end = from->getTerminator();
	if (from->getUniqueSuccessor())
		return nullptr;
	if (const auto *branch = dyn_cast<BranchInst>(end)) {
		Value *condition = vectorOf(branch->getCondition());
		return branch->getSuccessor(0) == to ? condition : builder.CreateNot(condition);
	}
	const auto *choice = cast<SwitchInst>(end);
	Value *value = vectorOf(choice->getCondition());
	Value *result = nullptr;
	bool isDefault = choice->getDefaultDest() == to;
	for (const auto &entry : choice->cases()) {
		if ((entry.getCaseSuccessor() == to) == isDefault)
			continue;
		uint64_t number = entry.getCaseValue()->getZExtValue();
		Value *here =
			builder.CreateICmpEQ(value, ConstantInt::get(value->getType(), number));
		result = result ? builder.CreateOr(result, here) : here;
	}
	if (!isDefault)
		return result;
	return result ? builder.CreateNot(result) : nullptr;
}

void LoopWidener::emitEdges(const LaneNode &node)
{
	SmallSetVector<BasicBlock *, 4> next(succ_begin(node.block), succ_end(node.block));
	Value *others = nullptr;
	for (BasicBlock *successor : next) {
		if (!needsEdgeMask(node.block, successor))
			continue;
		Value *mask = maskOf(node.block);
		Value *condition =
			others ? builder.CreateNot(others) : conditionOf(node.block, successor);
		/* Where the mask is unset, the condition may be poison. */
		if (mask && condition)
			mask = builder.CreateLogicalAnd(mask, condition);
		else if (condition)
			mask = condition;
		/* An instruction of its own: where this block is not run, nobody leaves it. */
		mask = asMask(builder.Insert(new FreezeInst(mask ? mask : allLanes())));
		edgeMasks[{node.block, successor}] = mask;
		/* Of two ways the second has the rest. */
		others = next.size() == 2 ? mask : nullptr;
		auto found = leaving.find({node.block, successor});
		if (found != leaving.end() && !hasEdgeBlock(node, successor))
			leave(mask, node, found->second);
	}
}

/* Whether all lanes of the block leave a loop at once, by a branch of their own: it gets a block for what is to be done
 * only then. */
bool LoopWidener::hasEdgeBlock(const LaneNode &node, BasicBlock *successor) const
{
	auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
	if (!branch || !branch->isConditional() || !leaving.contains({node.block, successor}))
		return false;
	BasicBlock *way = node.ways.lookup(successor);
	unsigned other = branch->getSuccessor(0) == successor ? 1 : 0;
	return way && way != node.ways.lookup(branch->getSuccessor(other)) &&
	       !plan.at(way).keepsEdges;
}

/* A block in which the lanes leave, on their way. */
BasicBlock *LoopWidener::edgeBlock(const LaneNode &node, BasicBlock *successor)
{
	IRBuilderBase::InsertPointGuard guard(builder);
	BasicBlock *block = newBlock(node.block->getName() + ".leave");
	Value *mask = maskOf(node.block);
	builder.SetInsertPoint(block);
	leave(mask ? mask : allLanes(), node, leaving.find({node.block, successor})->second);
	builder.CreateBr(starts[shapes.indexOf(node.ways.lookup(successor))]);
	return block;
}

/* The lanes that come by an edge, at its end. */
Value *LoopWidener::incomingMask(const BasicBlock *from, const BasicBlock *to)
{
	auto found = leaving.find({from, to});
	if (found == leaving.end())
		return edgeMasks.lookup({from, to});
	AllocaInst *left = found->second.mask;
	return asMask(builder.CreateLoad(left->getAllocatedType(), left));
}

void LoopWidener::emitMask(const LaneNode &node)
{
	if (node.maskOwner != node.block || node.block == item.header)
		return;
	if (node.block == node.loop->getHeader()) {
		PHINode *live = builder.CreatePHI(vectorType(builder.getInt1Ty()), 2, "live");
		masks[node.block] = asMask(live);
		return;
	}
	Value *mask = nullptr;
	SmallSetVector<BasicBlock *, 4> from(pred_begin(node.block), pred_end(node.block));
	for (BasicBlock *block : from) {
		Value *part = incomingMask(block, node.block);
		mask = mask ? builder.CreateOr(mask, part) : part;
	}
	masks[node.block] = asMask(mask);
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

void LoopWidener::emitPhis(const LaneNode &node)
{
	for (PHINode &phi : node.block->phis()) {
		if (scalars.count(&phi) || vectors.count(&phi))
			continue; /* x, where the wave says it */
		Shape shape = shapes.of(&phi);
		bool scalar = shape.isLinear();
		if (shape.row) {
			for (unsigned row = 0; row < rowsOf(shape); row++)
				rowPhis[&phi].push_back(builder.CreatePHI(
					phi.getType(), phi.getNumIncomingValues(), phi.getName()));
			append_range(rows[&phi], rowPhis[&phi]);
			continue;
		}
		Type *type = scalar ? phi.getType() : vectorType(phi.getType());
		PHINode *copy = builder.CreatePHI(type, phi.getNumIncomingValues(), phi.getName());
		(scalar ? scalars : vectors)[&phi] = copy;
		if (&phi != item.x)
			phis.push_back({&phi, copy});
	}
}

void LoopWidener::emitBlock(const LaneNode &node)
{
	unsigned number = shapes.indexOf(node.block);
	current = node.block;
	builder.SetInsertPoint(starts[number]);
	if (node.keepsEdges)
		emitPhis(node);
	emitMask(node);
	if (node.block == node.loop->getHeader())
		startLeavers(*node.loop);
	if (node.skipTo) {
		BasicBlock *body = newBlock(node.block->getName() + ".body");
		builder.CreateCondBr(isAny(maskOf(node.block)), body,
				     starts[shapes.indexOf(node.skipTo)]);
		builder.SetInsertPoint(body);
	}
	if (!node.keepsEdges)
		emitBlends(node);
	for (Instruction &instruction : *node.block) {
		if (!isa<PHINode>(instruction) && !instruction.isTerminator())
			emit(instruction);
	}
	emitEdges(node);
	ends[number] = builder.GetInsertBlock();
	if (node.block != item.latch)
		emitTerminator(node);
}

/* A part of what the current block becomes, behind the builder's place. */
BasicBlock *LoopWidener::newBlock(const Twine &name)
{
	BasicBlock *place = builder.GetInsertBlock();
	BasicBlock *block = BasicBlock::Create(context, name, &function, place->getNextNode());
	made.push_back(block);
	origins[block] = current;
	return block;
}

void LoopWidener::emitTerminator(const LaneNode &node)
{
	auto start = [&](BasicBlock *block) { return starts[shapes.indexOf(block)]; };
	if (node.loop != item.loop && node.block == node.loop->getLoopLatch()) {
		BasicBlock *header = start(node.loop->getHeader());
		if (node.next) {
			builder.CreateCondBr(isAny(maskOf(node.block)), header, start(node.next));
			return;
		}
		MDNode *hints = node.block->getTerminator()->getMetadata(LLVMContext::MD_loop);
		builder.CreateBr(header)->setMetadata(LLVMContext::MD_loop, hints);
		return;
	}
	SmallPtrSet<BasicBlock *, 4> next;
	for (auto [successor, way] : node.ways)
		next.insert(way);
	if (next.size() < 2) {
		builder.CreateBr(start(node.next));
		return;
	}
	Instruction *copy = node.block->getTerminator()->clone();
	copy->setMetadata(LLVMContext::MD_loop, nullptr);
	builder.Insert(copy);
	copy->setOperand(0, scalarOf(copy->getOperand(0)));
	for (unsigned i = 0; i < copy->getNumSuccessors(); i++) {
		BasicBlock *successor = copy->getSuccessor(i);
		copy->setSuccessor(i, hasEdgeBlock(node, successor)
					      ? edgeBlock(node, successor)
					      : start(node.ways.lookup(successor)));
	}
}

/* ---- at the end ------------------------------------------------------------------------------------------ */

void LoopWidener::finishPhis()
{
	for (auto [phi, copy] : phis) {
		bool scalar = copy->getType() == phi->getType();
		SmallPtrSet<const BasicBlock *, 4> seen;
		for (auto [from, use] : zip_equal(phi->blocks(), phi->incoming_values())) {
			BasicBlock *end = ends[shapes.indexOf(from)];
			if (!seen.insert(from).second)
				continue;
			/* A switch may have several ways to a block; what it becomes may have one. */
			Value *value = scalar ? scalarOf(use) : vectorOf(use);
			for (BasicBlock *successor : successors(end)) {
				if (successor == copy->getParent())
					copy->addIncoming(value, end);
			}
		}
	}
	for (auto &[phi, places] : rowPhis) {
		for (auto [row, copy] : enumerate(places)) {
			for (auto [from, use] : zip_equal(phi->blocks(), phi->incoming_values()))
				copy->addIncoming(rowOf(use, shapes.of(phi), unsigned(row)),
						  ends[shapes.indexOf(from)]);
		}
	}
	for (auto [block, mask] : masks) {
		auto *live = dyn_cast_or_null<PHINode>(mask);
		if (!live || live->getNumIncomingValues() > 0)
			continue;
		const Loop *loop = plan.at(block).loop;
		const BasicBlock *entry = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
		Value *first = maskOf(entry);
		live->addIncoming(first ? first : allLanes(), ends[shapes.indexOf(entry)]);
		live->addIncoming(maskOf(latch), ends[shapes.indexOf(latch)]);
	}
}

/* Where a value must be for its use. */
static BasicBlock *blockOf(const Use &use)
{
	const auto *phi = dyn_cast<PHINode>(use.getUser());
	return phi ? phi->getIncomingBlock(use) : cast<Instruction>(use.getUser())->getParent();
}

/* What is computed in a block that guards may jump over is missing behind it: nobody needs a value then, and
 * a mask has no lane set. It is missing where a round begins, and where the last block ends that all ways to the
 * value and its uses lead through: there the search for it ends. */
void LoopWidener::repairUses(Instruction &value, ArrayRef<Use *> uses,
			     const DominatorTree &dominators)
{
	SSAUpdater updater;
	const BasicBlock *origin = origins.lookup(value.getParent());
	Value *missing = maskValues.contains(&value) ? Constant::getNullValue(value.getType())
						     : PoisonValue::get(value.getType());
	updater.Initialize(value.getType(), value.getName());
	for (const Loop *loop = plan.at(origin).loop;; loop = loop->getParentLoop()) {
		updater.AddAvailableValue(starts[shapes.indexOf(loop->getHeader())], missing);
		if (loop == item.loop)
			break;
	}
	BasicBlock *above = value.getParent();
	for (const Use *use : uses)
		above = dominators.findNearestCommonDominator(above, blockOf(*use));
	if (above != value.getParent())
		updater.AddAvailableValue(above, missing);
	updater.AddAvailableValue(value.getParent(), &value);
	for (Use *use : uses)
		updater.RewriteUse(*use);
}

void LoopWidener::repair(const DominatorTree &dominators)
{
	SmallVector<std::pair<Instruction *, SmallVector<Use *, 4>>, 16> broken;
	for (BasicBlock *block : made) {
		for (Instruction &instruction : *block) {
			SmallVector<Use *, 4> uses;
			for (Use &use : instruction.uses()) {
				if (!dominators.dominates(&instruction, use))
					uses.push_back(&use);
			}
			if (!uses.empty())
				broken.push_back({&instruction, uses});
		}
	}
	for (auto &[instruction, uses] : broken)
		repairUses(*instruction, uses, dominators);
}

} // namespace weft

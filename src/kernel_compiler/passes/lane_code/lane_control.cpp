/* SPDX-License-Identifier: MIT
 *
 * The control flow of a widened body.
 */
#include "lane_code/lane_control.h"

#include "lane_code/lane_vectors.h"

#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

using namespace llvm;

namespace weft
{

/* ---- the beginning of a block ------------------------------------------------------------------------ */

void LaneControl::beginBlock(const BasicBlock &source)
{
	body.begin(&source);
	const LaneNode &node = body.current();
	if (node.keepsEdges)
		emitPhis();
	emitMask();
	if (node.block == node.loop->getHeader()) {
		exits.startIteration(*node.loop);
		collected.startIteration(*node.loop);
	}
	if (node.skipTo)
		emitGuard();
	if (!node.keepsEdges)
		emitBlends();
}

void LaneControl::emitPhis()
{
	for (PHINode &phi : body.current().block->phis()) {
		if (values.has(&phi))
			continue; /* x, of which the widener has said what it is */
		Shape shape = shapes.of(&phi);
		if (shape.row) {
			emitRowPhis(phi, shape);
			continue;
		}
		Type *type = shape.isLinear() ? phi.getType() : body.vectorType(phi.getType());
		PHINode *copy = builder.CreatePHI(type, phi.getNumIncomingValues(), phi.getName());
		if (shape.isLinear())
			values.setScalar(&phi, copy);
		else
			values.setVector(&phi, copy);
		if (&phi != body.item.x)
			phis.push_back({&phi, copy});
	}
}

void LaneControl::emitRowPhis(PHINode &phi, Shape shape)
{
	SmallVector<PHINode *, 4> &copies = rowPhis[&phi];
	for (unsigned row = 0; row < values.rowsOf(shape); row++)
		copies.push_back(builder.CreatePHI(phi.getType(), phi.getNumIncomingValues(),
						   phi.getName()));
	values.setRows(&phi, SmallVector<Value *, 4>(copies.begin(), copies.end()));
}

void LaneControl::emitMask()
{
	const LaneNode &node = body.current();
	if (node.maskOwner != node.block || node.block == body.item.header)
		return;
	if (node.block == node.loop->getHeader()) {
		masks.startLoop(node.block);
		return;
	}
	Value *mask = collected.maskOf(node.block);
	if (mask) {
		masks.set(node.block, mask);
		return;
	}
	SmallSetVector<BasicBlock *, 4> from(pred_begin(node.block), pred_end(node.block));
	for (BasicBlock *block : from) {
		Value *part = incomingMask(block, node.block);
		mask = mask ? builder.CreateOr(mask, part) : part;
	}
	masks.set(node.block, mask);
}

/* The lanes that come by an edge, at its end. */
Value *LaneControl::incomingMask(const BasicBlock *from, const BasicBlock *to)
{
	return exits.has(from, to) ? masks.mark(exits.leftBy(from, to)) : masks.ofEdge(from, to);
}

void LaneControl::emitGuard()
{
	const LaneNode &node = body.current();
	BasicBlock *needed = body.newBlock(node.block->getName() + ".body");
	builder.CreateCondBr(masks.isAny(masks.ofCurrent()), needed, body.startOf(node.skipTo));
	builder.SetInsertPoint(needed);
}

/* Where a phi's values come from; first a block that runs for the same lanes as the phi's, if there is one. */
SmallVector<BasicBlock *, 4> LaneControl::incomingBlocks(const PHINode &phi) const
{
	SmallSetVector<BasicBlock *, 4> from(phi.block_begin(), phi.block_end());
	SmallVector<BasicBlock *, 4> blocks(from.begin(), from.end());
	auto always = find_if(blocks, [&](const BasicBlock *block) {
		return body.plan.at(block).maskOwner == body.current().maskOwner;
	});
	if (always != blocks.end())
		std::rotate(blocks.begin(), always, std::next(always));
	return blocks;
}

/* In place of a phi: for each lane what it brings along its way. Lanes that come by none have the first way's value, which is what another
 * use of a register has left where that way was jumped over: as a number it may be subnormal, with which arithmetic takes a hundred cycles. So
 * the first way is one that is never jumped over, or brings 0 then. */
Value *LaneControl::blend(const PHINode &phi, bool scalar, Getter valueOf)
{
	Value *result = nullptr;
	AllocaInst *common = nullptr; /* holds what all ways so far have brought */
	for (BasicBlock *from : incomingBlocks(phi)) {
		Value *use = phi.getIncomingValueForBlock(from);
		AllocaInst *kept = exits.keptValue(from, phi.getParent(), use);
		if (result && kept && kept == common)
			continue;
		common = result ? nullptr : kept;
		Value *value =
			kept ? builder.CreateLoad(kept->getAllocatedType(), kept) : valueOf(use);
		if (!result) {
			result = value;
			if (!scalar && value->getType()->isFPOrFPVectorTy())
				masks.mark(value);
			continue;
		}
		Value *mask = incomingMask(from, phi.getParent());
		result = scalar ? builder.CreateSelect(masks.isAny(mask), value, result)
				: selected(builder, mask, value, result);
	}
	return result;
}

/* All blends come before the first of them is used: a phi may be another one's value. */
void LaneControl::emitBlends()
{
	DenseMap<PHINode *, SmallVector<Value *, 4>> blends; /* one, or one for each row */
	for (PHINode &phi : body.current().block->phis()) {
		Shape shape = shapes.of(&phi);
		SmallVector<Value *, 4> &results = blends[&phi];
		if (Value *brought = collected.valueOf(&phi)) {
			results.push_back(brought);
			continue;
		}
		for (unsigned row = 0; shape.row && row < values.rowsOf(shape); row++)
			results.push_back(blend(phi, true, [&](Value *value) {
				return values.rowOf(value, shape, row);
			}));
		if (shape.row)
			continue;
		bool scalar = shape.isLinear();
		results.push_back(blend(phi, scalar, [&](Value *value) {
			return scalar ? values.scalarOf(value) : values.vectorOf(value);
		}));
	}
	for (PHINode &phi : body.current().block->phis()) {
		Shape shape = shapes.of(&phi);
		ArrayRef<Value *> results = blends[&phi];
		if (shape.row)
			values.setRows(&phi, results);
		else if (shape.isLinear())
			values.setScalar(&phi, results.front());
		else
			values.setVector(&phi, results.front());
	}
}

/* ---- the end of a block --------------------------------------------------------------------------------- */

void LaneControl::endBlock()
{
	emitEdges();
	body.end();
	if (body.current().block != body.item.latch)
		emitBranch();
}

void LaneControl::emitEdges()
{
	const LaneNode &node = body.current();
	SmallSetVector<BasicBlock *, 4> next(succ_begin(node.block), succ_end(node.block));
	Value *others = nullptr;
	for (BasicBlock *successor : next) {
		if (!masks.needsEdge(node.block, successor))
			continue;
		Value *mask = masks.makeEdge(successor, others);
		/* Of two ways the second has the rest. */
		others = next.size() == 2 ? mask : nullptr;
		if (exits.has(node.block, successor) && !hasEdgeBlock(successor))
			exits.leave(mask, successor);
		collected.come(successor);
	}
}

/* Whether all lanes of the block leave a loop at once, by a branch: the edge gets a block for what is to be done only
 * then. */
bool LaneControl::hasEdgeBlock(BasicBlock *successor) const
{
	const LaneNode &node = body.current();
	auto *branch = dyn_cast<BranchInst>(node.block->getTerminator());
	if (!branch || !branch->isConditional() || !exits.has(node.block, successor))
		return false;
	BasicBlock *way = node.ways.lookup(successor);
	unsigned other = branch->getSuccessor(0) == successor ? 1 : 0;
	return way && way != node.ways.lookup(branch->getSuccessor(other)) &&
	       !body.plan.at(way).keepsEdges;
}

BasicBlock *LaneControl::edgeBlock(BasicBlock *successor)
{
	IRBuilderBase::InsertPointGuard guard(builder);
	const LaneNode &node = body.current();
	BasicBlock *block = body.newBlock(node.block->getName() + ".leave");
	Value *mask = masks.ofCurrent();
	builder.SetInsertPoint(block);
	exits.leave(mask ? mask : masks.allLanes(), successor);
	builder.CreateBr(body.startOf(node.ways.lookup(successor)));
	return block;
}

void LaneControl::emitBranch()
{
	const LaneNode &node = body.current();
	if (node.loop != body.item.loop && node.block == node.loop->getLoopLatch()) {
		emitBackBranch();
		return;
	}
	SmallPtrSet<BasicBlock *, 4> next;
	for (auto [successor, way] : node.ways)
		next.insert(way);
	if (next.size() < 2) {
		builder.CreateBr(body.startOf(node.next));
		return;
	}
	Instruction *copy = node.block->getTerminator()->clone();
	copy->setMetadata(LLVMContext::MD_loop, nullptr);
	builder.Insert(copy);
	copy->setOperand(0, values.scalarOf(copy->getOperand(0)));
	for (unsigned i = 0; i < copy->getNumSuccessors(); i++) {
		BasicBlock *successor = copy->getSuccessor(i);
		copy->setSuccessor(i, hasEdgeBlock(successor)
					      ? edgeBlock(successor)
					      : body.startOf(node.ways.lookup(successor)));
	}
}

/* From a loop's latch to its header; where lanes leave at different times, as long as one is left. */
void LaneControl::emitBackBranch()
{
	const LaneNode &node = body.current();
	BasicBlock *header = body.startOf(node.loop->getHeader());
	if (node.next) {
		builder.CreateCondBr(masks.isAny(masks.ofCurrent()), header,
				     body.startOf(node.next));
		return;
	}
	MDNode *hints = node.block->getTerminator()->getMetadata(LLVMContext::MD_loop);
	builder.CreateBr(header)->setMetadata(LLVMContext::MD_loop, hints);
}

/* ---- when all blocks are made ---------------------------------------------------------------------------- */

void LaneControl::connectPhis()
{
	for (auto [phi, copy] : phis) {
		bool scalar = copy->getType() == phi->getType();
		SmallPtrSet<const BasicBlock *, 4> seen;
		for (auto [from, use] : zip_equal(phi->blocks(), phi->incoming_values())) {
			BasicBlock *end = body.endOf(from);
			if (!seen.insert(from).second)
				continue;
			/* A switch may have several ways to a block; what it becomes may have one. */
			Value *value = scalar ? values.scalarOf(use) : values.vectorOf(use);
			for (BasicBlock *successor : successors(end)) {
				if (successor == copy->getParent())
					copy->addIncoming(value, end);
			}
		}
	}
	for (auto &[phi, copies] : rowPhis) {
		for (auto [row, copy] : enumerate(copies)) {
			for (auto [from, use] : zip_equal(phi->blocks(), phi->incoming_values()))
				copy->addIncoming(values.rowOf(use, shapes.of(phi), unsigned(row)),
						  body.endOf(from));
		}
	}
	masks.connectLoops();
}

/* ---- values that guards jump over ------------------------------------------------------------------------ */

/* Where a value must be for its use. */
static BasicBlock *blockOf(const Use &use)
{
	const auto *phi = dyn_cast<PHINode>(use.getUser());
	return phi ? phi->getIncomingBlock(use) : cast<Instruction>(use.getUser())->getParent();
}

/* A value is missing where an iteration of a loop around it begins, and at the end of the last block that all ways to the
 * value and to its uses lead through: the search for the value ends there. */
void LaneControl::fillMissing(Instruction &value, ArrayRef<Use *> uses,
			      const DominatorTree &dominators)
{
	SSAUpdater updater;
	BasicBlock *block = value.getParent();
	Value *missing = masks.isMarked(&value) ? Constant::getNullValue(value.getType())
						: PoisonValue::get(value.getType());
	updater.Initialize(value.getType(), value.getName());
	const Loop *loop = body.plan.at(body.originOf(block)).loop;
	for (;; loop = loop->getParentLoop()) {
		updater.AddAvailableValue(body.startOf(loop->getHeader()), missing);
		if (loop == body.item.loop)
			break;
	}
	BasicBlock *above = block;
	for (const Use *use : uses)
		above = dominators.findNearestCommonDominator(above, blockOf(*use));
	if (above != block)
		updater.AddAvailableValue(above, missing);
	updater.AddAvailableValue(block, &value);
	for (Use *use : uses)
		updater.RewriteUse(*use);
}

void LaneControl::fillMissingValues(const DominatorTree &dominators)
{
	SmallVector<std::pair<Instruction *, SmallVector<Use *, 4>>, 16> broken;
	for (BasicBlock *block : body.blocks()) {
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
		fillMissing(*instruction, uses, dominators);
}

} // namespace weft

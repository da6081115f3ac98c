/* SPDX-License-Identifier: MIT
 *
 * Lanes that leave loops.
 */
#include "lane_code/loop_exits.h"

#include "lane_code/lane_vectors.h"

#include <llvm/IR/CFG.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace weft
{

/* Edges of one loop to one block that bring one value share its variable. */
void LoopExits::find()
{
	std::map<std::tuple<BasicBlock *, const Loop *, Value *>, AllocaInst *> shared;
	for (BasicBlock *block : body.shapes.blocks()) {
		for (BasicBlock *successor : successors(block)) {
			const Loop *loop = body.plan.leaves(block, successor);
			if (!loop || has(block, successor))
				continue;
			Exit &exit = exits[{block, successor}];
			exit.outermost = loop;
			exit.left = body.newVariable(body.vectorType(builder.getInt1Ty()), "left");
			for (PHINode &phi : successor->phis()) {
				Value *value = phi.getIncomingValueForBlock(block);
				auto *inside = dyn_cast<Instruction>(value);
				if (!inside || !loop->contains(inside))
					continue;
				AllocaInst *&variable = shared[{successor, loop, value}];
				if (!variable)
					variable = body.newVariable(
						body.vectorType(value->getType()), "kept");
				exit.kept[value] = variable;
			}
		}
	}
}

void LoopExits::countRounds(const Loop &loop)
{
	counted = &loop;
	ofLoop = body.newVariable(builder.getInt32Ty(), "rounds");
	ofLanes = body.newVariable(builder.getInt32Ty(), "rounds.lanes");
}

Value *LoopExits::rounds() const
{
	return builder.CreateLoad(ofLoop->getAllocatedType(), ofLoop);
}

Value *LoopExits::laneRounds() const
{
	return builder.CreateLoad(ofLanes->getAllocatedType(), ofLanes);
}

void LoopExits::countRound(const Loop &loop)
{
	if (&loop == body.item.loop) {
		builder.CreateStore(builder.getInt32(0), ofLoop);
		builder.CreateStore(builder.getInt32(0), ofLanes);
	}
	if (&loop != counted)
		return;
	Value *lanes =
		builder.CreateUnaryIntrinsic(Intrinsic::ctpop, masks.bitsOf(masks.ofCurrent()));
	lanes = builder.CreateZExtOrTrunc(lanes, builder.getInt32Ty());
	builder.CreateStore(builder.CreateAdd(rounds(), builder.getInt32(1)), ofLoop);
	builder.CreateStore(builder.CreateAdd(laneRounds(), lanes), ofLanes);
}

void LoopExits::startIteration(const Loop &loop)
{
	if (counted)
		countRound(loop);
	for (auto &[edge, exit] : exits) {
		if (exit.outermost->getParentLoop() != &loop)
			continue;
		builder.CreateStore(Constant::getNullValue(exit.left->getAllocatedType()),
				    exit.left);
		for (auto &[value, variable] : exit.kept)
			builder.CreateStore(PoisonValue::get(variable->getAllocatedType()),
					    variable);
	}
}

/* All lanes of the block keep their values, also lanes that stay: those come here again and replace what is kept, or
 * leave by another edge. */
void LoopExits::leave(Value *mask, const BasicBlock *to)
{
	const Exit &exit = exits.find({body.current().block, to})->second;
	Value *old = builder.CreateLoad(exit.left->getAllocatedType(), exit.left);
	builder.CreateStore(builder.CreateOr(old, mask), exit.left);
	Value *lanes = masks.ofCurrent();
	for (auto &[value, variable] : exit.kept) {
		Value *kept = builder.CreateLoad(variable->getAllocatedType(), variable);
		Value *vector = values.vectorOf(value);
		builder.CreateStore(lanes ? selected(builder, lanes, vector, kept) : vector,
				    variable);
	}
}

Value *LoopExits::leftBy(const BasicBlock *from, const BasicBlock *to) const
{
	AllocaInst *left = exits.find({from, to})->second.left;
	return builder.CreateLoad(left->getAllocatedType(), left);
}

AllocaInst *LoopExits::keptValue(const BasicBlock *from, const BasicBlock *to, Value *value) const
{
	auto found = exits.find({from, to});
	return found != exits.end() ? found->second.kept.lookup(value) : nullptr;
}

void LoopExits::addVariables(SmallVectorImpl<AllocaInst *> &variables) const
{
	for (const auto &[edge, exit] : exits) {
		variables.push_back(exit.left);
		for (const auto &[value, variable] : exit.kept) {
			if (!is_contained(variables, variable))
				variables.push_back(variable);
		}
	}
	if (counted)
		variables.append({ofLoop, ofLanes});
}

} // namespace weft

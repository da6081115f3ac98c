/* SPDX-License-Identifier: MIT
 *
 * What lanes bring by very many ways.
 */
#include "lane_code/collected_ways.h"

#include "lane_code/lane_vectors.h"

#include <llvm/IR/CFG.h>

using namespace llvm;

namespace weft
{

namespace
{

/* For fewer ways the code is shorter without variables, which each guard's block has a phi for. */
constexpr size_t manyWays = 32;

} // namespace

bool CollectedWays::isCollected(const BasicBlock *block) const
{
	const LaneNode &node = body.plan.at(block);
	if (node.keepsEdges || block == node.loop->getHeader())
		return false;
	SmallPtrSet<const BasicBlock *, 16> ways(pred_begin(block), pred_end(block));
	return ways.size() > manyWays && all_of(ways, [&](const BasicBlock *from) {
		       return body.plan.at(from).loop == node.loop && !exits.has(from, block) &&
			      masks.needsEdge(from, block);
	       });
}

void CollectedWays::find()
{
	for (BasicBlock *block : shapes.blocks()) {
		if (!isCollected(block))
			continue;
		const LaneNode &node = body.plan.at(block);
		Join &join = joins[block];
		join.loop = node.loop;
		if (node.maskOwner == block)
			join.mask = body.newVariable(body.vectorType(builder.getInt1Ty()), "come");
		for (PHINode &phi : block->phis()) {
			const Shape shape = shapes.of(&phi);
			if (shape.row || shape.isLinear())
				continue;
			AllocaInst *variable =
				body.newVariable(body.vectorType(phi.getType()), "brought");
			join.values.push_back({&phi, variable});
			valueOfPhi[&phi] = variable;
		}
	}
}

/* Lanes that come by no way have 0: a number that a register held before may be subnormal. */
void CollectedWays::startIteration(const Loop &loop)
{
	auto clear = [&](AllocaInst *variable) {
		builder.CreateStore(Constant::getNullValue(variable->getAllocatedType()), variable);
	};
	for (auto &[block, join] : joins) {
		if (join.loop != &loop)
			continue;
		if (join.mask)
			clear(join.mask);
		for (auto [phi, variable] : join.values)
			clear(variable);
	}
}

void CollectedWays::come(const BasicBlock *to)
{
	auto found = joins.find(to);
	if (found == joins.end())
		return;
	const BasicBlock *from = body.current().block;
	const Join &join = found->second;
	Value *lanes = masks.ofEdge(from, to);
	if (join.mask) {
		Value *before =
			builder.CreateLoad(join.mask->getAllocatedType(), join.mask, "before");
		builder.CreateStore(builder.CreateOr(before, lanes), join.mask);
	}
	for (auto [phi, variable] : join.values) {
		Value *brought = values.vectorOf(phi->getIncomingValueForBlock(from));
		Value *before =
			builder.CreateLoad(variable->getAllocatedType(), variable, "before");
		builder.CreateStore(selected(builder, lanes, brought, before), variable);
	}
}

Value *CollectedWays::maskOf(const BasicBlock *block) const
{
	auto found = joins.find(block);
	if (found == joins.end() || !found->second.mask)
		return nullptr;
	AllocaInst *mask = found->second.mask;
	return builder.CreateLoad(mask->getAllocatedType(), mask);
}

Value *CollectedWays::valueOf(const PHINode *phi) const
{
	AllocaInst *variable = valueOfPhi.lookup(phi);
	return variable ? builder.CreateLoad(variable->getAllocatedType(), variable) : nullptr;
}

void CollectedWays::addVariables(SmallVectorImpl<AllocaInst *> &variables) const
{
	for (const auto &[block, join] : joins) {
		if (join.mask)
			variables.push_back(join.mask);
		for (auto [phi, variable] : join.values)
			variables.push_back(variable);
	}
}

} // namespace weft

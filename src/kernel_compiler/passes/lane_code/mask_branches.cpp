/* SPDX-License-Identifier: MIT
 *
 * Branches by masks.
 */
#include "lane_code/mask_branches.h"

#include "lane_code/lane_vectors.h"
#include "lanes/lane_data.h"

using namespace llvm;

namespace weft
{

/* Makes the accesses in each way, and phis of what they load behind all. From `without`, if there is that block, the code
 * comes without an access. */
void MaskBranches::joinWays(ArrayRef<Way> ways, BasicBlock *without, BasicBlock *done,
			    ArrayRef<Instruction *> accesses)
{
	SmallVector<SmallVector<Value *, 4>, 2> results;
	SmallVector<BasicBlock *, 2> from;
	for (auto [start, emitWay] : ways) {
		builder.SetInsertPoint(start);
		emitWay();
		results.emplace_back();
		for (Instruction *access : accesses)
			results.back().push_back(values.madeVector(access));
		from.push_back(builder.GetInsertBlock());
		builder.CreateBr(done);
	}
	builder.SetInsertPoint(done);
	for (auto [number, access] : enumerate(accesses)) {
		if (!isa<LoadInst>(access))
			continue;
		PHINode *phi = builder.CreatePHI(body.vectorType(access->getType()), 3);
		for (auto [vectors, block] : zip_equal(results, from))
			phi->addIncoming(vectors[number], block);
		if (without)
			phi->addIncoming(Constant::getNullValue(phi->getType()), without);
		values.setVector(access, phi);
	}
}

void MaskBranches::byMask(Value *mask, ArrayRef<Instruction *> accesses, Emitter all, Emitter some)
{
	if (!mask || areMany()) {
		mask ? some() : all();
		return;
	}
	branches++;
	BasicBlock *done = body.newBlock("accessed");
	BasicBlock *without = body.newBlock("all.lanes"), *with = body.newBlock("some.lanes");
	BasicBlock *partly = body.current().mayBeEmpty ? body.newBlock("not.all.lanes") : nullptr;
	Value *bits = masks.bitsOf(mask);
	builder.CreateCondBr(builder.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType())),
			     without, partly ? partly : with);
	if (partly) {
		builder.SetInsertPoint(partly);
		builder.CreateCondBr(builder.CreateIsNotNull(bits), with, done);
	}
	joinWays({{without, all}, {with, some}}, partly, done, accesses);
}

static bool hasMasks(const Instruction &access, Type *type, const TargetTransformInfo &target)
{
	const Align align = getLoadStoreAlignment(&access);
	const unsigned space = getLoadStoreAddressSpace(&access);
	return isa<LoadInst>(access) ? target.isLegalMaskedLoad(type, align, space)
				     : target.isLegalMaskedStore(type, align, space);
}

bool MaskBranches::lacksMasks(const Instruction &access) const
{
	auto *type = body.vectorType(getLoadStoreType(&access));
	return elementSize(type->getElementType(), body.layout) < 4 &&
	       !hasMasks(access, type, body.target);
}

bool MaskBranches::arePoor(const Instruction &access) const
{
	return hasMasks(access, body.vectorType(getLoadStoreType(&access)), body.target) &&
	       areByData();
}

bool MaskBranches::areByData() const
{
	return runsByData(*body.current().block, shapes);
}

void MaskBranches::byTest(Value *test, ArrayRef<Instruction *> accesses, Emitter all, Emitter some)
{
	branches++;
	BasicBlock *done = body.newBlock("accessed");
	BasicBlock *with = body.newBlock("test.holds"), *without = body.newBlock("test.fails");
	builder.CreateCondBr(test, with, without);
	joinWays({{with, all}, {without, some}}, nullptr, done, accesses);
}

void MaskBranches::unlessEmpty(Value *mask, Instruction &access, Emitter some)
{
	if (!mask || !body.current().mayBeEmpty) {
		some();
		return;
	}
	branches++;
	BasicBlock *start = builder.GetInsertBlock();
	BasicBlock *done = body.newBlock("accessed"), *with = body.newBlock("some.lanes");
	builder.CreateCondBr(masks.isAny(mask), with, done);
	joinWays({{with, some}}, start, done, {&access});
}

} // namespace weft

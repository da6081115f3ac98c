/* SPDX-License-Identifier: MIT
 *
 * Where the variables of a kernel's work-items lie: those that are kept across barriers one behind the other for the group, and
 * behind them a flag for each work-item that has returned.
 */
#include "functions/internal_functions.h"
#include "regions/loop_builder.h"
#include "regions/parallel_accesses.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace weft
{

Value *LoopBuilder::groupItems(IRBuilder<> &builder)
{
	return builder.CreateNUWMul(builder.CreateNUWMul(size[2], size[1]), size[0]);
}

/* Bytes from one variable's copies to those of the next. Long ones take an odd number of cache lines: in powers of two, the copies of
 * one work-item would all lie in one set of the cache. */
Value *LoopBuilder::spilledBytes(const SpilledVariable &spilled, IRBuilder<> &builder)
{
	const uint64_t unit = spillUnit(*spilled.variable);
	Value *&bytes = bytesOfItems[{spilled.size, unit}];
	if (bytes)
		return bytes;
	Value *used = builder.CreateNUWMul(enqueuedItems, builder.getInt64(spilled.size));
	Value *whole = builder.CreateAnd(builder.CreateNUWAdd(used, builder.getInt64(unit - 1)),
					 builder.getInt64(~(unit - 1)));
	Value *isShort = builder.CreateICmpULT(used, builder.getInt64(unit * shortSpillUnits));
	bytes = builder.CreateSelect(isShort, used,
				     builder.CreateOr(whole, builder.getInt64(unit)));
	return bytes;
}

/* Where the copies of each variable begin. Each is an address from the first: alias analyses walk along chains of addresses. */
void LoopBuilder::placeSpillBases()
{
	if (!spill)
		return;
	IRBuilder<> builder(prologue->getTerminator());
	Value *offset = nullptr;
	auto baseHere = [&] {
		return offset ? builder.CreateInBoundsGEP(builder.getInt8Ty(), spill, offset)
			      : spill;
	};
	for (const SpilledVariable &spilled : variables.spilled) {
		spillBases[spilled.variable] = baseHere();
		Value *bytes = spilledBytes(spilled, builder);
		offset = offset ? builder.CreateNUWAdd(offset, bytes) : bytes;
	}
	spillBases[nullptr] = baseHere(); /* the flags */
}

Value *LoopBuilder::spillAddress(const SpilledVariable &spilled, IRBuilder<> &builder, Value *item)
{
	Type *element = ArrayType::get(builder.getInt8Ty(), spilled.size);
	return builder.CreateInBoundsGEP(element, spillBases.lookup(spilled.variable), item);
}

/* All work-items read the value that the variable had before the first of them ran. */
void LoopBuilder::placeUniform(AllocaInst &slot)
{
	bool isRead = false;
	for (User *user : make_early_inc_range(slot.users())) {
		auto *instruction = cast<Instruction>(user);
		isRead |= isOnceCall(*instruction);
		if (instruction->isLifetimeStartOrEnd())
			instruction->eraseFromParent();
		else if ((isa<LoadInst>(instruction) || isOnceCall(*instruction)) &&
			 regions.regionOf(instruction->getParent()) < loopsOf.size())
			instruction->moveBefore(loopsOf[regions.regionOf(instruction->getParent())]
							.before->getTerminator()
							->getIterator());
	}
	/* Perhaps no work-item leaves anything there. */
	if (isRead)
		new StoreInst(Constant::getNullValue(slot.getAllocatedType()), &slot,
			      prologue->getTerminator()->getIterator());
}

/* Work-items that return leave the identity in their variables, and again wherever others leave a value, since the calls
 * may write to all. */
void LoopBuilder::leaveNothing(const SpilledVariable &spilled, Constant &identity)
{
	SmallSetVector<unsigned, 4> touched;
	for (unsigned i = 0; i < regions.size(); i++) {
		if (leavesEarly[i])
			touched.insert(i);
	}
	for (User *user : spilled.variable->users()) {
		if (isa<StoreInst>(user))
			touched.insert(regions.regionOf(cast<Instruction>(user)->getParent()));
	}
	for (unsigned region : touched) {
		IRBuilder<> builder(loopsOf[region].begin->getTerminator());
		Value *place = spillAddress(spilled, builder, loopsOf[region].item);
		loopsOf[region].left.push_back({place, &identity});
	}
}

/* Calls that go through all work-items' variables, once before a region's loops. */
void LoopBuilder::placeOnce(const SpilledVariable &spilled)
{
	Constant *identity = nullptr;
	for (User *user : make_early_inc_range(spilled.variable->users())) {
		if (!isOnceCall(*user))
			continue;
		auto *call = cast<CallInst>(user);
		call->moveBefore(loopsOf[regions.regionOf(call->getParent())]
					 .before->getTerminator()
					 ->getIterator());
		IRBuilder<> builder(call);
		call->setArgOperand(0, spillAddress(spilled, builder, builder.getInt64(0)));
		call->setArgOperand(1, groupItems(builder));
		identity = cast<Constant>(call->getArgOperand(2));
	}
	if (identity && tracksReturns)
		leaveNothing(spilled, *identity);
}

void LoopBuilder::placeSpilled(const SpilledVariable &spilled)
{
	placeOnce(spilled);
	DenseMap<unsigned, Value *> addresses;
	for (Use &use : make_early_inc_range(spilled.variable->uses())) {
		auto *user = cast<Instruction>(use.getUser());
		if (user->isLifetimeStartOrEnd()) {
			user->eraseFromParent();
			continue;
		}
		unsigned region = regions.regionOf(use);
		Value *&address = addresses[region];
		if (!address) {
			IRBuilder<> builder(loopsOf[region].begin->getTerminator());
			address = spillAddress(spilled, builder, loopsOf[region].item);
			address->takeName(spilled.variable);
		}
		use.set(address);
	}
	for (auto &[region, address] : addresses)
		markParallelUsers(*address, loopsOf[region].latch);
	spilled.variable->eraseFromParent();
}

/* One after the other the work-items use the same bytes, as they would on the stack. */
void LoopBuilder::placeScratch()
{
	IRBuilder<> builder(prologue->getTerminator());
	Value *scratch = nullptr;
	for (const SpilledVariable &large : variables.scratch) {
		if (!scratch)
			scratch = createQuery(builder, Query::ScratchMemory);
		for (User *user : make_early_inc_range(large.variable->users())) {
			if (cast<Instruction>(user)->isLifetimeStartOrEnd())
				cast<Instruction>(user)->eraseFromParent();
		}
		Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), scratch,
								    large.offset);
		address->takeName(large.variable);
		large.variable->replaceAllUsesWith(address);
		large.variable->eraseFromParent();
	}
}

void LoopBuilder::placeVariables()
{
	placeSpillBases();
	for (AllocaInst *slot : variables.uniform)
		placeUniform(*slot);
	for (const SpilledVariable &spilled : variables.spilled)
		placeSpilled(spilled);
	placeScratch();
}

/* The flags lie behind the spilled variables, a byte for each work-item. */
void LoopBuilder::trackReturns()
{
	const SpilledVariable flags = {nullptr, 1, 1};
	for (unsigned i = 0; i < regions.size(); i++) {
		RegionLoops &loops = loopsOf[i];
		Instruction *end = loops.begin->getTerminator();
		IRBuilder<> builder(end);
		Value *flag = spillAddress(flags, builder, loops.item);
		if (i == 0) {
			builder.CreateStore(builder.getInt8(0), flag);
		} else {
			Value *done = builder.CreateICmpNE(
				builder.CreateLoad(builder.getInt8Ty(), flag), builder.getInt8(0));
			builder.CreateCondBr(done, goneBlock(loops), firstBlock(i));
			end->eraseFromParent();
		}
		for (BasicBlock *block : regions.regions()[i].blocks) {
			auto *exit = dyn_cast<ReturnInst>(block->getTerminator());
			if (!exit || !leavesEarly[i])
				continue;
			new StoreInst(builder.getInt8(1), flag, exit->getIterator());
			for (auto &[place, identity] : loops.left)
				new StoreInst(identity, place, exit->getIterator());
		}
	}
}

/* The block to which a work-item goes in a region if it has returned before. */
BasicBlock *LoopBuilder::goneBlock(const RegionLoops &loops)
{
	if (loops.left.empty())
		return loops.end;
	IRBuilder<> builder(BasicBlock::Create(context, "gone", &kernel, loops.end));
	for (auto &[place, identity] : loops.left)
		builder.CreateStore(identity, place);
	return builder.CreateBr(loops.end)->getParent();
}

} // namespace weft

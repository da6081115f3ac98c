/* SPDX-License-Identifier: MIT
 *
 * work-item-loops: per region a nest of loops
 *
 *   before: loads of uniform values
 *     for z, for y, for x:  begin (addresses of spilled variables) → the region's blocks → latch
 *   after: on to the next region, where the last work-item went
 *
 * Work-items that return while others go on to a barrier are remembered in a flag each. Where cycles are counted
 * (count-cycles) each work-item begins a region with none, and leaves them for the host, which is called `after`.
 */
#include "work_item_loops.h"

#include "argument_layout.h"
#include "count_cycles.h"
#include "internal_functions.h"
#include "item_loops.h"
#include "parallel_accesses.h"
#include "private_variables.h"
#include "region_exits.h"
#include "regions.h"
#include "uniformity.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace weft
{

namespace
{

constexpr uint32_t returned = ~0u; /* in place of the next region's number */

struct RegionLoops {
	BasicBlock *before, *begin, *latch, *after;
	BasicBlock *end; /* of a work-item: the latch, or on the way to it */
	Value *ids[3];
	Value *item; /* x + width * (y + height * z) */
	/* Where a work-item that has returned leaves what, for calls that go through all. */
	SmallVector<std::pair<Value *, Constant *>, 1> left;
};

class LoopBuilder
{
      public:
	LoopBuilder(BasicBlock &theBody, const RegionList &theRegions, const Uniformity *uniformity)
	    : kernel(*theBody.getParent()), context(theBody.getContext()), regions(theRegions),
	      prologue(&kernel.getEntryBlock()), body(&theBody)
	{
		for (unsigned i = 0; i < regions.size(); i++) {
			leavesEarly.push_back(uniformity &&
					      returnsDivergently(regions, i, *uniformity));
			tracksReturns |= leavesEarly.back();
		}
	}

	void run();

      private:
	void makePrologue();
	void makeLoops(unsigned region);
	void addLoop(RegionLoops &loops, unsigned dimension, BasicBlock *outer, BasicBlock *&inner);
	void keepCycles(RegionLoops &loops);
	Value *groupItems(IRBuilder<> &builder);
	Value *spillAddress(const SpilledVariable &spilled, IRBuilder<> &builder, Value *item);
	void placeVariables();
	void placeUniform(AllocaInst &slot);
	void placeOnce(const SpilledVariable &spilled);
	void leaveNothing(const SpilledVariable &spilled, Constant &identity);
	void placeSpilled(const SpilledVariable &spilled);
	void placeScratch();
	void trackReturns();
	BasicBlock *goneBlock(const RegionLoops &loops);
	void replaceIds();
	void connect(unsigned region);
	BasicBlock *exitTo(unsigned region, BasicBlock *from, uint32_t next);
	void finish(unsigned region);
	BasicBlock *firstBlock(unsigned region)
	{
		return region == 0 ? body : regions.regions()[region].start;
	}
	bool choosesNext(unsigned region)
	{
		const Region &shape = regions.regions()[region];
		return shape.successors.size() + (shape.returns ? 1 : 0) > 1;
	}

	Function &kernel;
	LLVMContext &context;
	const RegionList &regions;
	PrivateVariables variables;
	SmallVector<RegionLoops, 8> loopsOf;
	SmallVector<bool, 8> leavesEarly;
	bool tracksReturns = false;
	BasicBlock *prologue, *body; /* the two blocks that region 0 begins with */
	BasicBlock *epilogue = nullptr;
	Value *size[3] = {}; /* the group's */
	Value *spill = nullptr;
	Value *cycles = nullptr; /* an array for the host */
	Value *enqueuedItems = nullptr;
	AllocaInst *next = nullptr; /* the number of the region that comes next */
	DenseMap<std::pair<unsigned, uint32_t>, BasicBlock *> exits; /* from a region to one */
	DenseMap<const AllocaInst *, Value *> spillBases;
};

/* The group's facts, behind the allocas. */
void LoopBuilder::makePrologue()
{
	IRBuilder<> builder(prologue->getTerminator());
	for (unsigned d = 0; d < 3; d++)
		size[d] = createQuery(builder, Query::LocalSize, d);
	if (variables.spillPerItem > 0) {
		spill = createQuery(builder, Query::SpillMemory);
		enqueuedItems = createQuery(builder, Query::EnqueuedLocalSize, 0);
		for (unsigned d = 1; d < 3; d++)
			enqueuedItems = builder.CreateNUWMul(
				enqueuedItems, createQuery(builder, Query::EnqueuedLocalSize, d));
	}
	if (variables.cycles)
		cycles = createQuery(builder, Query::CycleMemory);
	if (regions.size() > 1) {
		next = new AllocaInst(builder.getInt32Ty(), PrivateSpace, "next",
				      prologue->begin());
		next->setMetadata(uniformMetadata, MDNode::get(context, {}));
	}
	epilogue = BasicBlock::Create(context, "group.end", &kernel);
	ReturnInst::Create(context, epilogue);
}

/* One loop of the nest: its header after `outer`, its latch where the inner loop ends. */
void LoopBuilder::addLoop(RegionLoops &loops, unsigned dimension, BasicBlock *outer,
			  BasicBlock *&inner)
{
	static constexpr const char *names[3] = {"x", "y", "z"};
	auto *header = BasicBlock::Create(context, Twine(names[dimension]) + ".loop", &kernel);
	auto *latch = BasicBlock::Create(context, Twine(names[dimension]) + ".next", &kernel);
	IRBuilder<> builder(header);
	PHINode *id = builder.CreatePHI(builder.getInt64Ty(), 2, names[dimension]);
	id->addIncoming(builder.getInt64(0), outer);
	loops.ids[dimension] = id;

	builder.SetInsertPoint(latch);
	Value *step = builder.CreateNUWAdd(id, builder.getInt64(1));
	id->addIncoming(step, latch);
	builder.CreateCondBr(builder.CreateICmpULT(step, size[dimension]), header, loops.after);
	if (dimension > 0 && !hasFixedSize(kernel))
		markSingleLoop(*latch);
	builder.SetInsertPoint(outer);
	builder.CreateBr(header);
	/* An inner loop ends in this latch and begins in this header. */
	loops.after = latch;
	inner = header;
}

void LoopBuilder::makeLoops(unsigned region)
{
	RegionLoops loops;
	loops.before = BasicBlock::Create(context, "region" + Twine(region), &kernel);
	BasicBlock *after = BasicBlock::Create(context, "region" + Twine(region) + ".end", &kernel);
	loops.after = after;
	BasicBlock *inner = loops.before;
	for (unsigned d = 3; d-- > 0;) {
		addLoop(loops, d, inner, inner);
		if (d == 2)
			markItemNest(*loops.after);
	}
	loops.begin = inner;
	loops.latch = loops.after;
	loops.after = after;
	markParallelLoop(*loops.latch);
	/* In the scratch memory there is room for one work-item. */
	if (variables.scratch.empty())
		markItemLoop(*loops.latch);

	IRBuilder<> builder(loops.begin);
	Value *row =
		builder.CreateNUWAdd(builder.CreateNUWMul(loops.ids[2], size[1]), loops.ids[1]);
	loops.item = builder.CreateNUWAdd(builder.CreateNUWMul(row, size[0]), loops.ids[0]);
	loops.end = loops.latch;
	if (cycles)
		keepCycles(loops);
	builder.CreateBr(firstBlock(region));
	if (next && choosesNext(region)) {
		builder.SetInsertPoint(loops.before->getTerminator());
		builder.CreateStore(builder.getInt32(returned), next);
	}
	loopsOf.push_back(loops);
}

/* In the variable while the work-item runs, then where the host finds them. */
void LoopBuilder::keepCycles(RegionLoops &loops)
{
	IRBuilder<> builder(loops.begin);
	builder.CreateStore(builder.getInt64(0), variables.cycles);
	loops.end = BasicBlock::Create(context, "item.end", &kernel, loops.latch);
	builder.SetInsertPoint(loops.end);
	Value *sum = builder.CreateLoad(builder.getInt64Ty(), variables.cycles);
	Value *place = builder.CreateInBoundsGEP(builder.getInt64Ty(), cycles, loops.item);
	builder.CreateStore(sum, place);
	builder.CreateBr(loops.latch);
	markParallelUsers(*place, loops.latch);
}

Value *LoopBuilder::groupItems(IRBuilder<> &builder)
{
	return builder.CreateNUWMul(builder.CreateNUWMul(size[2], size[1]), size[0]);
}

Value *LoopBuilder::spillAddress(const SpilledVariable &spilled, IRBuilder<> &builder, Value *item)
{
	Value *&base = spillBases[spilled.variable];
	if (!base) {
		IRBuilder<> early(prologue->getTerminator());
		Value *offset = early.CreateNUWMul(enqueuedItems, early.getInt64(spilled.offset));
		base = early.CreateInBoundsGEP(early.getInt8Ty(), spill, offset);
	}
	Type *element = spilled.variable ? ArrayType::get(builder.getInt8Ty(), spilled.size)
					 : static_cast<Type *>(builder.getInt8Ty());
	return builder.CreateInBoundsGEP(element, base, item);
}

/* All work-items read what was there before the first of them ran. */
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
	spillBases.erase(spilled.variable);
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
	for (AllocaInst *slot : variables.uniform)
		placeUniform(*slot);
	for (const SpilledVariable &spilled : variables.spilled)
		placeSpilled(spilled);
	placeScratch();
}

/* The flags lie behind the spilled variables, a byte for each work-item. */
void LoopBuilder::trackReturns()
{
	const SpilledVariable flags = {nullptr, variables.spillPerItem - 1, 1};
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

/* Where a work-item that has returned goes in a region. */
BasicBlock *LoopBuilder::goneBlock(const RegionLoops &loops)
{
	if (loops.left.empty())
		return loops.end;
	IRBuilder<> builder(BasicBlock::Create(context, "gone", &kernel, loops.end));
	for (auto &[place, identity] : loops.left)
		builder.CreateStore(identity, place);
	return builder.CreateBr(loops.end)->getParent();
}

void LoopBuilder::replaceIds()
{
	for (unsigned i = 0; i < regions.size(); i++) {
		for (BasicBlock *block : regions.regions()[i].blocks) {
			for (Instruction &instruction : make_early_inc_range(*block)) {
				if (queryOf(instruction) != Query::LocalId)
					continue;
				IRBuilder<> builder(&instruction);
				Value *dimension = instruction.getOperand(0);
				auto *known = dyn_cast<ConstantInt>(dimension);
				if (known && known->isOne())
					setKernelNumber(kernel, usesRowsAttribute, 1);
				Value *id = loopsOf[i].ids[known ? std::min<uint64_t>(
									   known->getZExtValue(), 2)
								 : 2];
				for (unsigned d = 2; !known && d-- > 0;)
					id = builder.CreateSelect(
						builder.CreateICmpEQ(dimension,
								     builder.getInt32(d)),
						loopsOf[i].ids[d], id);
				instruction.replaceAllUsesWith(id);
				instruction.eraseFromParent();
			}
		}
	}
}

/* Where an edge out of a region goes: to the work-item's end, over a block that says what comes next, one for all such edges:
 * there work-items have come together again. */
BasicBlock *LoopBuilder::exitTo(unsigned region, BasicBlock *from, uint32_t target)
{
	BasicBlock *end = loopsOf[region].end;
	if (!next || !choosesNext(region) || target == returned)
		return end;
	BasicBlock *&exit = exits[{region, target}];
	if (exit)
		return exit;
	exit = BasicBlock::Create(context, "next", &kernel, from->getNextNode());
	IRBuilder<> builder(exit);
	builder.CreateStore(builder.getInt32(target), next);
	builder.CreateBr(end);
	return exit;
}

void LoopBuilder::connect(unsigned region)
{
	for (BasicBlock *block : regions.regions()[region].blocks) {
		Instruction *terminator = block->getTerminator();
		if (isa<ReturnInst>(terminator)) {
			BranchInst::Create(loopsOf[region].end, terminator->getIterator());
			terminator->eraseFromParent();
			continue;
		}
		for (unsigned i = 0; i < terminator->getNumSuccessors(); i++) {
			BasicBlock *successor = terminator->getSuccessor(i);
			unsigned target = regions.regionOf(successor);
			if (target != ~0u && target != 0 &&
			    successor == regions.regions()[target].start)
				terminator->setSuccessor(i, exitTo(region, block, target));
		}
	}
}

/* From the end of a region's loops to the next region. */
void LoopBuilder::finish(unsigned region)
{
	const Region &shape = regions.regions()[region];
	IRBuilder<> builder(loopsOf[region].after);
	if (cycles)
		reportCycles(builder, groupItems(builder), region);
	if (!choosesNext(region)) {
		builder.CreateBr(shape.successors.empty() ? epilogue
							  : loopsOf[shape.successors[0]].before);
		return;
	}
	Value *target = builder.CreateLoad(builder.getInt32Ty(), next);
	BasicBlock *otherwise = shape.returns ? epilogue : loopsOf[shape.successors[0]].before;
	SwitchInst *choice = builder.CreateSwitch(target, otherwise);
	for (unsigned successor : drop_begin(shape.successors, shape.returns ? 0 : 1))
		choice->addCase(builder.getInt32(successor), loopsOf[successor].before);
}

void LoopBuilder::run()
{
	variables = classifyVariables(kernel, regions);
	if (tracksReturns)
		variables.spillPerItem = SaturatingAdd<uint64_t>(variables.spillPerItem, 1);
	makePrologue();
	for (unsigned i = 0; i < regions.size(); i++)
		makeLoops(i);
	placeVariables();
	if (tracksReturns)
		trackReturns();
	for (unsigned i = 0; i < regions.size(); i++)
		markParallelAccesses(regions.regions()[i].blocks, *loopsOf[i].latch);
	replaceIds();
	for (unsigned i = 0; i < regions.size(); i++) {
		if (i > 0)
			regions.regions()[i].start->getFirstNonPHIOrDbg()->eraseFromParent();
		connect(i);
	}
	for (unsigned i = 0; i < regions.size(); i++)
		finish(i);
	prologue->getTerminator()->setSuccessor(0, loopsOf[0].before);
	if (cycles) {
		DominatorTree dominators(kernel);
		PromoteMemToReg({variables.cycles}, dominators);
	}
	setKernelNumber(kernel, spillPerItemAttribute, variables.spillPerItem);
	setKernelNumber(kernel, scratchSizeAttribute, variables.scratchSize);
	setKernelNumber(kernel, privateSizeAttribute, variables.privateSize);
}

} // namespace

PreservedAnalyses WorkItemLoopsPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	if (!isKernel(function))
		return PreservedAnalyses::all();
	const Uniformity *uniformity = nullptr;
	if (analyses.getResult<RegionAnalysis>(function).size() > 1)
		uniformity = &analyses.getResult<UniformityAnalysis>(function);
	BasicBlock *body = splitEntry(function);
	RegionList regions(function);
	LoopBuilder(*body, regions, uniformity).run();
	/* What comes after a region that never ends, and the region's loops. */
	EliminateUnreachableBlocks(function);
	return PreservedAnalyses::none();
}

} // namespace weft

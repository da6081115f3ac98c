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
#include "regions/work_item_loops.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"
#include "ir/variables.h"
#include "kernel/argument_layout.h"
#include "kernel/cycle_counter.h"
#include "regions/loop_builder.h"
#include "regions/parallel_accesses.h"
#include "regions/region_exits.h"

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

} // namespace

LoopBuilder::LoopBuilder(BasicBlock &theBody, const RegionList &theRegions,
			 const Uniformity *uniformity)
    : kernel(*theBody.getParent()), context(theBody.getContext()), regions(theRegions),
      prologue(&kernel.getEntryBlock()), body(&theBody)
{
	for (unsigned i = 0; i < regions.size(); i++) {
		leavesEarly.push_back(uniformity && returnsDivergently(regions, i, *uniformity));
		tracksReturns |= leavesEarly.back();
	}
}

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
	if (variables.cycles && !isExecuted(*variables.cycles))
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
	/* The scratch memory has room for one work-item, so a loop that uses it is not widened. */
	if (variables.scratch.empty())
		markItemLoop(*loops.latch);

	IRBuilder<> builder(loops.begin);
	Value *row =
		builder.CreateNUWAdd(builder.CreateNUWMul(loops.ids[2], size[1]), loops.ids[1]);
	loops.item = builder.CreateNUWAdd(builder.CreateNUWMul(row, size[0]), loops.ids[0]);
	loops.end = loops.latch;
	if (variables.cycles)
		keepCycles(loops, region);
	builder.CreateBr(firstBlock(region));
	if (next && choosesNext(region)) {
		builder.SetInsertPoint(loops.before->getTerminator());
		builder.CreateStore(builder.getInt32(returned), next);
	}
	loopsOf.push_back(loops);
}

/* The cycles are in the variable while the work-item runs; then they are stored for the host. Or marks say where it begins and ends. */
void LoopBuilder::keepCycles(RegionLoops &loops, unsigned region)
{
	IRBuilder<> builder(loops.begin);
	loops.end = BasicBlock::Create(context, "item.end", &kernel, loops.latch);
	if (!cycles) {
		markCycles(builder, region == 0 ? CycleMark::FirstRegion : CycleMark::Region);
		builder.SetInsertPoint(loops.end);
		markCycles(builder, CycleMark::End);
		builder.CreateBr(loops.latch);
		return;
	}
	builder.CreateStore(builder.getInt64(0), variables.cycles);
	builder.SetInsertPoint(loops.end);
	Value *sum = builder.CreateLoad(builder.getInt64Ty(), variables.cycles);
	Value *place = builder.CreateInBoundsGEP(builder.getInt64Ty(), cycles, loops.item);
	builder.CreateStore(sum, place);
	builder.CreateBr(loops.latch);
	markParallelUsers(*place, loops.latch);
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

/* The block to which an edge out of a region leads: the work-item's end, through a block that stores which region comes next. There
 * is one such block for each target; work-items come together again in it. */
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

/* Makes the branch from the end of a region's loops to the next region. */
void LoopBuilder::finish(unsigned region)
{
	const Region &shape = regions.regions()[region];
	IRBuilder<> builder(loopsOf[region].after);
	if (variables.cycles)
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
	if (variables.cycles) {
		DominatorTree dominators(kernel);
		PromoteMemToReg({variables.cycles}, dominators);
	}
	setKernelNumber(kernel, spillPerItemAttribute, variables.spillPerItem);
	setKernelNumber(kernel, scratchSizeAttribute, variables.scratchSize);
	setKernelNumber(kernel, privateSizeAttribute, variables.privateSize);
}

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
	/* Blocks behind a region that never ends, and its loops. */
	EliminateUnreachableBlocks(function);
	return PreservedAnalyses::none();
}

} // namespace weft

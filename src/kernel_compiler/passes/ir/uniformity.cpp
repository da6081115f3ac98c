/* SPDX-License-Identifier: MIT
 *
 * The uniformity analysis. Data: a value varies when an operand does. Control: at a divergent branch labels
 * run along its successors; where two of them meet, the values that join there vary, and values of a loop
 * that work-items leave at different times vary outside of it.
 */
#include "ir/uniformity.h"

#include "functions/internal_functions.h"
#include "functions/subgroup_functions.h"
#include "ir/regions.h"
#include "ir/variables.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

using namespace llvm;

namespace weft
{

AnalysisKey UniformityAnalysis::Key;

namespace
{

/* Blocks that all divergent branches of a function may look at together; past that, every join varies. */
constexpr uint64_t stepLimit = 4000000;

/* Constant memory does not change while a kernel runs, nor does what is said to be invariant. */
bool readsUnchanging(const LoadInst &load)
{
	return load.isSimple() && (load.getPointerAddressSpace() == ConstantSpace ||
				   load.hasMetadata(LLVMContext::MD_invariant_load));
}

/* What work-items may wait for each other with: one may then see what another one has written since the last barrier. */
bool orders(const Instruction &instruction)
{
	if (instruction.isAtomic())
		return true;
	const auto *call = dyn_cast<CallBase>(&instruction);
	return call && isRealCall(instruction) && !isBarrier(instruction) &&
	       !isOnceCall(instruction) && !subgroupCallOf(instruction) &&
	       !call->onlyReadsMemory() && !call->onlyAccessesInaccessibleMemory();
}

bool readsSharedMemory(const LoadInst &load)
{
	const unsigned space = load.getPointerAddressSpace();
	return load.isSimple() && (space == GlobalSpace || space == LocalSpace);
}

/* Of spill-at-barriers. */
bool readsUniformSlot(const LoadInst &load)
{
	const auto *slot = dyn_cast<AllocaInst>(load.getPointerOperand());
	return slot && slot->hasMetadata(uniformMetadata);
}

} // namespace

Uniformity::Uniformity(Function &theFunction, const PostDominatorTree &thePostDominators,
		       const CycleInfo &theCycles)
    : function(theFunction), postDominators(thePostDominators), cycles(theCycles)
{
	for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
		order.try_emplace(block, order.size());
	isOrdered = any_of(instructions(function), orders);
	for (Instruction &instruction : instructions(function)) {
		if (varies(instruction))
			mark(instruction);
	}
	while (!work.empty()) {
		const Value *value = work.pop_back_val();
		markUsers(*value);
	}
}

/* Sources: what differs between work-items by itself. */
bool Uniformity::varies(const Instruction &instruction) const
{
	if (std::optional<Query> query = queryOf(instruction))
		return *query == Query::LocalId || *query == Query::GlobalId;
	/* The sub-groups of a group have their own values. */
	if (std::optional<SubgroupFunction> asked = subgroupCallOf(instruction))
		return !(*asked == SubgroupFunction::Size);
	if (isOnceCall(instruction))
		return false;
	/* Each work-item comes from a meeting of its own, past where branches before it come together (merge_region_exits.h). */
	if (isa<PHINode>(instruction))
		return instruction.getParent()->getTerminator()->hasMetadata(addedMetadata);
	if (isa<AllocaInst>(instruction))
		return !instruction.hasMetadata(uniformMetadata);
	/* Between two barriers a work-item does not read what another one writes, unless something orders them. So where all read from
	 * one place, all read the same. */
	if (const auto *load = dyn_cast<LoadInst>(&instruction))
		return !readsUnchanging(*load) && !readsUniformSlot(*load) &&
		       (isOrdered || !readsSharedMemory(*load));
	if (const auto *call = dyn_cast<CallBase>(&instruction))
		return !call->doesNotAccessMemory() && !call->getType()->isVoidTy();
	return instruction.mayReadOrWriteMemory() && !instruction.getType()->isVoidTy();
}

void Uniformity::mark(const Value &value)
{
	if (varying.insert(&value).second)
		work.push_back(&value);
}

void Uniformity::markUsers(const Value &value)
{
	for (const User *user : value.users()) {
		const auto *instruction = cast<Instruction>(user);
		if (instruction->isTerminator()) {
			if (instruction->getNumSuccessors() > 1 &&
			    !instruction->hasMetadata(uniformMetadata) &&
			    varying.insert(instruction).second)
				diverge(*const_cast<BasicBlock *>(instruction->getParent()));
		} else if (!instruction->getType()->isVoidTy() && !isOnceCall(*instruction)) {
			mark(*instruction);
		}
	}
}

/* Values that come together here from work-items that went different ways. */
void Uniformity::markJoin(BasicBlock &block)
{
	for (PHINode &phi : block.phis()) {
		if (!phi.hasConstantValue())
			mark(phi);
	}
}

/* Whether a value is used after the cycle, by a phi on its way out too. */
static bool leaves(const Instruction &value, const Cycle &cycle)
{
	return any_of(value.uses(), [&](const Use &use) {
		const auto *user = cast<Instruction>(use.getUser());
		const auto *phi = dyn_cast<PHINode>(user);
		const BasicBlock *at = phi ? phi->getIncomingBlock(use) : user->getParent();
		return !cycle.contains(at) || !cycle.contains(user->getParent());
	});
}

/* Work-items leave the branch by different ways, until `reconvergence`. Cycles around the branch that do
 * not hold it are left at different times. */
void Uniformity::leaveCycles(BasicBlock &block, const BasicBlock *reconvergence)
{
	for (const Cycle *cycle = cycles.getCycle(&block); cycle; cycle = cycle->getParentCycle()) {
		if (reconvergence && cycle->contains(reconvergence) && cycle->isReducible())
			return;
		if (!left.insert(cycle).second)
			continue; /* all that it does is done */
		for (BasicBlock *inside : cycle->blocks()) {
			if (!cycle->isReducible())
				markJoin(*inside);
			for (Instruction &instruction : *inside) {
				if (leaves(instruction, *cycle))
					mark(instruction);
			}
		}
	}
}

void Uniformity::diverge(BasicBlock &block)
{
	const auto *node = postDominators.getNode(&block);
	const BasicBlock *reconvergence =
		node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
	DenseMap<BasicBlock *, BasicBlock *> labels;
	std::set<std::pair<unsigned, BasicBlock *>> pending; /* in reverse post-order */
	SmallPtrSet<BasicBlock *, 8>
		joins; /* a successor may be one, and bears its own label before */
	auto visit = [&](BasicBlock *target, BasicBlock *label) {
		BasicBlock *&known = labels[target];
		if (known == label || (known && !joins.insert(target).second))
			return;
		if (known) { /* two ways meet */
			markJoin(*target);
			label = target;
		}
		known = label;
		if (target != reconvergence && target != &block)
			pending.insert({order.lookup(target), target});
	};
	for (BasicBlock *successor : successors(&block))
		visit(successor, successor);
	while (steps <= stepLimit && !pending.empty()) {
		BasicBlock *next = pending.begin()->second;
		pending.erase(pending.begin());
		BasicBlock *label = labels[next];
		for (BasicBlock *successor : successors(next))
			visit(successor, label);
		if (++steps > stepLimit) {
			for (BasicBlock &any : function)
				markJoin(any);
		}
	}
	leaveCycles(block, reconvergence);
}

bool Uniformity::isDivergent(const BasicBlock &block) const
{
	return varying.contains(block.getTerminator());
}

void Uniformity::print(raw_ostream &out) const
{
	for (const Instruction &instruction : instructions(function)) {
		bool isBranch = instruction.isTerminator() && instruction.getNumSuccessors() > 1;
		if (instruction.getType()->isVoidTy() && !isBranch)
			continue;
		out << (varying.contains(&instruction) ? "varying:" : "uniform:") << instruction
		    << '\n';
	}
}

Uniformity UniformityAnalysis::run(Function &function, FunctionAnalysisManager &analyses)
{
	return Uniformity(function, analyses.getResult<PostDominatorTreeAnalysis>(function),
			  analyses.getResult<CycleAnalysis>(function));
}

PreservedAnalyses UniformityPrinterPass::run(Function &function, FunctionAnalysisManager &analyses)
{
	errs() << "uniformity of " << function.getName() << ":\n";
	analyses.getResult<UniformityAnalysis>(function).print(errs());
	return PreservedAnalyses::all();
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * Asked before each optional pass on each function and loop. Most passes are in no table, so that is a look at their
 * names; the size of a function is counted for those that are.
 */
#include "pipeline/pass_budget.h"

#include "functions/internal_functions.h"
#include "ir/item_loops.h"

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned any = ~0u;

/* A size from which on a pass of LLVM takes longer than it is worth. */
struct Limit {
	const char *pass;
	unsigned instructions, blocks, loops; /* of a function, at most */
	unsigned runs;                        /* past that; 0: none */
	unsigned block = 0;                   /* instructions of the function's largest, at least */
	unsigned masks = any;                 /* of a function, at most */
	unsigned readPaths = any;             /* a function's reads by its blocks, at most */
};

/* What most of them compare is pairs: of accesses, of loops, of instructions that might be a vector. InstCombine, which
 * the pipeline runs eight times, looks back from each value along all that it comes from, and for each mask through its
 * block. EarlyCSE does so for the conditions of hundreds of regions between barriers. GVN goes back from each read by a call
 * through all blocks before. The last one is for the products of
 * an unrolled loop's counter, in a block that is large enough to look like one. */
constexpr Limit limits[] = {
	{"LoopLoadEliminationPass", 400, any, any, 0}, /* takes half of all time at 900 */
	{"LoopVectorizePass", 4000, 200, 60, 0},
	{"LoopUnrollPass", any, any, 60, 0},
	{"SLPVectorizerPass", 8000, any, any, 0},
	{"InstCombinePass", 8000, 500, any, 2},
	{"InstCombinePass", 30000, 1000, any, 0},
	{"InstCombinePass", any, any, any, 0, 0, 300},
	{"EarlyCSEPass", any, 12000, any, 0},
	{"DSEPass", 8000, 500, any, 0},
	{"GVNPass", any, any, any, 0, 0, any, 20000},
	{"weft::StreamStoresPass", any, any, 100, 0},
	{"StraightLineStrengthReducePass", 2000, any, any, 0, 64},
};

/* No instruction of the benchmark's kernels comes of it (docs/build_times.md). */
struct Unneeded {
	const char *pass;
	unsigned run; /* of a function, if not all: from 1 */
};

/* No function that is called is left to be propagated. InstCombine runs once more behind either run. */
constexpr Unneeded unneededRows[] = {
	{"CalledValuePropagationPass", 0},
	{"ConstraintEliminationPass", 0},
	{"BDCEPass", 0},
	{"InstCombinePass", 5}, /* at the end of the simplification of functions */
	{"InstCombinePass", 7}, /* behind the vectorizer for straight code */
};

bool hasLoopLimit(StringRef pass)
{
	return any_of(limits,
		      [&](const Limit &limit) { return pass == limit.pass && limit.loops != any; });
}

/* Instructions that conditions become where both sides of a branch run. */
bool isMask(const Instruction &instruction)
{
	return isa<FreezeInst>(instruction) ||
	       (isa<SelectInst>(instruction) && instruction.getType()->isIntegerTy(1));
}

bool isWithin(const FunctionSize &size, const Limit &limit)
{
	return size.instructions <= limit.instructions && size.blocks <= limit.blocks &&
	       size.loops <= limit.loops && size.masks <= limit.masks &&
	       uint64_t(size.reads) * size.blocks <= limit.readPaths;
}

bool isRead(const Instruction &instruction)
{
	const auto *call = dyn_cast<CallBase>(&instruction);
	return call && call->onlyReadsMemory() && !call->doesNotAccessMemory();
}

/* Whether vectors of one type come from one intrinsic by operands of different types, as of saturating conversions of floats and doubles:
 * VectorCombine shuffles such operands with each other. */
bool mixesOperands(const Function &function)
{
	DenseMap<std::pair<unsigned, Type *>, Type *> operands;
	return any_of(instructions(function), [&](const Instruction &instruction) {
		const auto *call = dyn_cast<IntrinsicInst>(&instruction);
		if (!call || !call->getType()->isVectorTy() ||
		    !isTriviallyVectorizable(call->getIntrinsicID()))
			return false;
		Type *type = call->getArgOperand(0)->getType();
		auto [known, isNew] = operands.try_emplace(
			{unsigned(call->getIntrinsicID()), call->getType()}, type);
		return !isNew && known->second != type;
	});
}

} // namespace

FunctionSize::FunctionSize(const Function &function, bool withLoops)
{
	for (const BasicBlock &block : function) {
		size_t size = block.size();
		blocks++;
		instructions += unsigned(size);
		largestBlock = std::max(largestBlock, unsigned(size));
		masks += unsigned(count_if(block, isMask));
		reads += unsigned(count_if(block, isRead));
	}
	SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> edges;
	if (withLoops && blocks > 0)
		FindFunctionBackedges(function, edges);
	loops = unsigned(edges.size());
}

bool PassLimits::runsOn(StringRef pass, const Loop &loop) const
{
	return pass != "SimpleLoopUnswitchPass" || !isSingleLoop(loop);
}

bool PassLimits::runsOn(StringRef pass, const Function &function)
{
	if (pass == "VectorCombinePass" && mixesOperands(function))
		return false;
	if (pass == "SLPVectorizerPass" && !getKernelNumber(function, splitVectorsAttribute))
		return false;
	std::optional<FunctionSize> counted; /* once for all limits of a pass */
	for (const Limit &limit : limits) {
		if (pass != limit.pass)
			continue;
		if (!counted)
			counted.emplace(function, hasLoopLimit(pass));
		const FunctionSize &size = *counted;
		if (size.largestBlock < limit.block)
			return false;
		if (isWithin(size, limit) || runs[{&function, &limit}]++ < limit.runs)
			continue;
		weft_log(WEFT_LOG_DEBUG, "compiler", "%s: too large for %s",
			 function.getName().str().c_str(), limit.pass);
		return false;
	}
	return true;
}

void FunctionSize::raise(const FunctionSize &other)
{
	instructions = std::max(instructions, other.instructions);
	blocks = std::max(blocks, other.blocks);
	largestBlock = std::max(largestBlock, other.largestBlock);
	loops = std::max(loops, other.loops);
	masks = std::max(masks, other.masks);
	reads = std::max(reads, other.reads);
}

PassLimits::PassLimits(PassInstrumentationCallbacks &callbacks)
{
	callbacks.registerShouldRunOptionalPassCallback([this](StringRef pass, Any unit) {
		if (const auto *loop = any_cast<const Loop *>(&unit))
			return runsOn(pass, **loop);
		if (const auto *function = any_cast<const Function *>(&unit))
			return runsOn(pass, **function);
		return true;
	});
}

UnneededPasses::UnneededPasses(PassInstrumentationCallbacks &callbacks)
{
	callbacks.registerShouldRunOptionalPassCallback([this](StringRef pass, Any unit) {
		if (const auto *function = any_cast<const Function *>(&unit))
			return !isUnneeded(pass, *function);
		if (const auto *module = any_cast<const Module *>(&unit))
			return !isUnneeded(pass, *module);
		return true;
	});
}

bool UnneededPasses::isUnneeded(StringRef pass, const void *unit)
{
	unsigned run = 0;
	for (const Unneeded &row : unneededRows) {
		if (pass != row.pass)
			continue;
		if (run == 0)
			run = ++runs[{unit, &row}];
		if (row.run == 0 || row.run == run)
			return true;
	}
	return false;
}

} // namespace weft

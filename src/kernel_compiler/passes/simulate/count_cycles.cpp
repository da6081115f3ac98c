/* SPDX-License-Identifier: MIT
 *
 * count-cycles: a sum for each block, and functions that are called, which add to the sum of their callers.
 */
#include "simulate/count_cycles.h"

#include "functions/added_parameters.h"
#include "functions/image_functions.h"
#include "functions/internal_functions.h"
#include "ir/regions.h"
#include "kernel/cycle_counter.h"
#include "kernel/dma_requests.h"
#include "kernel_abi.h"
#include "simulate/element_cost.h"
#include "simulate/transfer_sites.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace weft
{

namespace
{

class CycleCounter
{
      public:
	CycleCounter(Module &theModule, const weft_costs &theCosts)
	    : module(theModule), costs(theCosts), number(Type::getInt64Ty(theModule.getContext()))
	{
	}

	void run()
	{
		for (Function *function : definitions()) {
			if (isKernel(*function))
				counters[function] = createVariable(*function);
			else if (!costs.executed && !runsOnce(*function) && isOnlyCalled(*function))
				takeCounter(*function);
		}
		for (auto &[function, counter] : counters) {
			findCopying(*function);
			for (BasicBlock &block : *function)
				count(block, *counter);
			makeRequests(*function, *counter);
		}
		removeRequests(module);
		for (auto &[before, after] : replaced)
			replaceCalls(*before, *after);
	}

      private:
	SmallVector<Function *, 8> definitions()
	{
		SmallVector<Function *, 8> list;
		for (Function &function : module) {
			if (!function.isDeclaration())
				list.push_back(&function);
		}
		return list;
	}

	static bool isOnlyCalled(const Function &function)
	{
		return all_of(function.uses(), [](const Use &use) {
			const auto *call = dyn_cast<CallInst>(use.getUser());
			return call && call->isCallee(&use);
		});
	}

	AllocaInst *createVariable(Function &kernel)
	{
		auto *variable = new AllocaInst(number, PrivateSpace, "cycles",
						kernel.getEntryBlock().begin());
		variable->setMetadata(cyclesMetadata, MDNode::get(module.getContext(), {}));
		addKernelFlag(kernel, WEFT_KERNEL_COUNTS_CYCLES);
		if (costs.executed)
			setExecuted(*variable);
		/* as report-accesses, whose work the executing machine does */
		if (costs.executed && costs.global_access == 0)
			setKernelNumber(kernel, coalescedGroupsAttribute, CoalescesNone);
		return variable;
	}

	void takeCounter(Function &function)
	{
		const MemoryEffects effects = function.getMemoryEffects();
		Function &made = addParameters(function,
					       PointerType::get(module.getContext(), PrivateSpace));
		made.setMemoryEffects(effects | MemoryEffects::argMemOnly());
		Argument *counter = made.getArg(unsigned(made.arg_size() - 1));
		counter->setName("cycles");
		counter->addAttr(Attribute::get(module.getContext(), cyclesMetadata));
		counter->addAttr(Attribute::NoAlias);
		counter->addAttr(Attribute::NonNull);
		counter->addAttr(
			Attribute::getWithCaptureInfo(module.getContext(), CaptureInfo::none()));
		counters[&made] = counter;
		replaced[&function] = &made;
	}

	void add(IRBuilder<> &builder, Value *counter, Value *cycles)
	{
		Value *before = builder.CreateLoad(number, counter);
		builder.CreateStore(builder.CreateNUWAdd(before, cycles), counter);
	}

	void count(BasicBlock &block, Value &counter)
	{
		uint64_t sum = 0;
		MapVector<uint32_t, uint64_t> transferred; /* by the number of the transfer */
		SmallVector<const CallInst *, 4> samples;
		if (isKernel(*block.getParent()) &&
		    (block.isEntryBlock() || startsWithBarrier(block)))
			sum += costs.item;
		for (const Instruction &instruction : block) {
			if (isRequest(instruction))
				requests.push_back({cast<CallInst>(&instruction), sum});
			if (isRequestEnd(instruction) || copying.contains(&instruction))
				continue;
			if (imageCallOf(instruction) == ImageAccess::Sample)
				samples.push_back(cast<CallInst>(&instruction));
			uint64_t cost = elementCost(instruction, costs);
			if (std::optional<TransferSite> site = transferOf(instruction))
				transferred[site->number] += cost;
			else
				sum += cost;
		}
		if (sum == 0 && transferred.empty() && samples.empty())
			return;
		IRBuilder<> builder(block.getTerminator());
		if (costs.executed) {
			for (auto [site, cost] : transferred)
				markTransferred(builder, site, cost / costs.global_access);
			return;
		}
		Value *cycles = builder.getInt64(sum);
		for (auto [site, cost] : transferred)
			cycles = builder.CreateNUWAdd(cycles,
						      costOfTransferred(builder, site, cost));
		for (const CallInst *sample : samples)
			cycles = builder.CreateNUWAdd(cycles, costOfFilter(builder, *sample));
		add(builder, &counter, cycles);
	}

	/* Copies that the DMA engine does in place of work-items. A function that is not inlined copies by itself. */
	void findCopying(Function &function)
	{
		copying.clear();
		requests.clear();
		if (!isKernel(function))
			return;
		for (Instruction &instruction : instructions(function)) {
			if (isRequest(instruction))
				addCopying(instruction, copying);
		}
	}

	/* Calls of weft_work_context.request, in the work-item that would copy. */
	void makeRequests(Function &function, Value &counter)
	{
		if (!isKernel(function) || requests.empty())
			return;
		addKernelFlag(function, WEFT_KERNEL_REQUESTS);
		for (auto [call, before] : requests) {
			IRBuilder<> builder(const_cast<CallInst *>(call));
			Value *cycles = builder.getInt64(0);
			if (!costs.executed)
				cycles = builder.CreateNUWAdd(builder.CreateLoad(number, &counter),
							      builder.getInt64(before));
			callHost(builder, offsetof(weft_work_context, request), builder.getVoidTy(),
				 {call->getArgOperand(0), call->getArgOperand(1), cycles});
		}
	}

	/* The cycles of local accesses, if the host has chosen the transfer; otherwise `cost`, of as many global accesses. */
	Value *costOfTransferred(IRBuilder<> &builder, uint32_t site, uint64_t cost)
	{
		Value *chosen = loadInvariant(builder, number, createQuery(builder, Query::Context),
					      offsetof(weft_work_context, transfers));
		Value *bit = builder.CreateAnd(chosen, builder.getInt64(uint64_t(1) << site));
		uint64_t near = cost / costs.global_access * costs.local_access;
		return builder.CreateSelect(builder.CreateIsNotNull(bit), builder.getInt64(near),
					    builder.getInt64(cost));
	}

	/* A linear filter accesses two texels in each dimension, and weighs their channels; between mip levels it does so twice. */
	Value *costOfFilter(IRBuilder<> &builder, const CallInst &sample) const
	{
		uint64_t access = 0;
		if (const auto *known = dyn_cast<ConstantInt>(sample.getArgOperand(2)))
			access = known->getZExtValue() & WEFT_IMAGE_SHAPE_MASK;
		uint64_t dimensions = access == WEFT_IMAGE_3D ? 3 : access < WEFT_IMAGE_2D ? 1 : 2;
		uint64_t texel = costs.global_access + imageChannels * 2 * uint64_t(costs.real);
		auto has = [&](uint64_t bit) {
			return builder.CreateIsNotNull(
				builder.CreateAnd(samplerOf(sample), builder.getInt64(bit)));
		};
		Value *one = builder.getInt64(1);
		Value *texels = builder.CreateSelect(
			has(WEFT_SAMPLER_LINEAR), builder.getInt64(uint64_t(1) << dimensions), one);
		texels = builder.CreateShl(texels, builder.CreateZExt(has(WEFT_SAMPLER_MIP_LINEAR),
								      texels->getType()));
		return builder.CreateNUWMul(builder.CreateNUWSub(texels, one),
					    builder.getInt64(texel));
	}

	/* Each work-item passes its own variable, which is used from before the call to after it. */
	void passCounter(CallInst &call, Function &callee)
	{
		Function &caller = *call.getFunction();
		auto *cell = new AllocaInst(number, PrivateSpace, "cycles.called",
					    caller.getEntryBlock().begin());
		IRBuilder<> builder(&call);
		builder.CreateLifetimeStart(cell);
		builder.CreateStore(builder.getInt64(0), cell);
		CallInst &made = replaceCall(call, callee, cell);
		builder.SetInsertPoint(made.getNextNode());
		if (Value *counter = counters.lookup(&caller))
			add(builder, counter, builder.CreateLoad(number, cell));
		builder.CreateLifetimeEnd(cell);
	}

	void replaceCalls(Function &before, Function &after)
	{
		for (User *user : make_early_inc_range(before.users()))
			passCounter(*cast<CallInst>(user), after);
		before.eraseFromParent();
	}

	Module &module;
	const weft_costs &costs;
	Type *number;
	MapVector<Function *, Value *> counters;
	/* Of one kernel: its requests, after how many cycles of the block, and the instructions that are not counted for them. */
	SmallVector<std::pair<const CallInst *, uint64_t>, 4> requests;
	DenseSet<const Instruction *> copying;
	MapVector<Function *, Function *> replaced;
};

} // namespace

PreservedAnalyses CountCyclesPass::run(Module &module, ModuleAnalysisManager &)
{
	CycleCounter(module, costs).run();
	return PreservedAnalyses::none();
}

} // namespace weft

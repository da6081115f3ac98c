/* SPDX-License-Identifier: MIT
 *
 * The tables. Rows that are no passes of ours are LLVM's.
 */
#include "pipeline/pipeline_tables.h"

#include "after_llvm/double_before_repeating.h"
#include "after_llvm/form_minima.h"
#include "after_llvm/form_ternary_logic.h"
#include "after_llvm/forward_local_stores.h"
#include "after_llvm/hash_switches.h"
#include "after_llvm/interleave_iterations.h"
#include "after_llvm/lower_half_vectors.h"
#include "after_llvm/lower_high_products.h"
#include "after_llvm/lower_saturation.h"
#include "after_llvm/lower_saturation_avx512.h"
#include "after_llvm/lower_scattered.h"
#include "after_llvm/merge_element_compares.h"
#include "after_llvm/narrow_gathers.h"
#include "after_llvm/prefetch_scatters.h"
#include "after_llvm/share_full_masks.h"
#include "after_llvm/sink_broadcasts.h"
#include "after_llvm/stream_stores.h"
#include "calls/add_item_parameters.h"
#include "calls/bound_recursion.h"
#include "calls/check_calls.h"
#include "calls/inline_functions.h"
#include "calls/lower_host_calls.h"
#include "calls/lower_indirect_calls.h"
#include "calls/lower_virtual_calls.h"
#include "finish/bound_unrolling.h"
#include "finish/emit_descriptors.h"
#include "finish/entry_points.h"
#include "finish/extend_indices.h"
#include "finish/flush_denormals.h"
#include "finish/lower_cpu_functions.h"
#include "finish/lower_image_calls.h"
#include "finish/mark_scalar_loops.h"
#include "finish/split_private_accesses.h"
#include "footprints/argument_access.h"
#include "footprints/argument_footprints.h"
#include "lanes/hoist_item_loads.h"
#include "lanes/split_guarded_items.h"
#include "layout/part_merged_loads.h"
#include "layout/swap_dimensions.h"
#include "layout/transpose_local_arrays.h"
#include "prepare/fold_round_trips.h"
#include "prepare/hoist_loads.h"
#include "prepare/inline_image_accesses.h"
#include "prepare/lower_blocks.h"
#include "prepare/lower_cxx_objects.h"
#include "prepare/lower_division.h"
#include "prepare/lower_dma_requests.h"
#include "prepare/lower_enqueue.h"
#include "prepare/lower_fast_math.h"
#include "prepare/lower_local_memory.h"
#include "prepare/lower_printf.h"
#include "prepare/lower_target_types.h"
#include "prepare/lower_waits.h"
#include "prepare/merge_ways.h"
#include "prepare/prepare_kernels.h"
#include "prepare/privatize_updates.h"
#include "prepare/promote_sums.h"
#include "prepare/single_items.h"
#include "prepare/unroll_barrier_loops.h"
#include "prepare/unroll_for_sroa.h"
#include "regions/coalesce_work_groups.h"
#include "regions/collapse_dimensions.h"
#include "regions/flatten_grid_strides.h"
#include "regions/group_index_loops.h"
#include "regions/interchange_items.h"
#include "regions/spill_at_barriers.h"
#include "regions/split_at_barriers.h"
#include "regions/split_inductions.h"
#include "regions/work_item_loops.h"
#include "simulate/count_cycles.h"
#include "simulate/find_transfers.h"
#include "simulate/place_transfers.h"
#include "simulate/report_accesses.h"
#include "widen/pair_windows.h"
#include "widen/relax_local_atomics.h"
#include "widen/unroll_windows.h"
#include "widen/widen_divisions.h"
#include "widen/widen_elements.h"
#include "widen/widen_loops.h"
#include "width/choose_width.h"
#include "width/narrow_integers.h"
#include "width/select_ways.h"
#include "width/split_vectors.h"

#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/StraightLineStrengthReduce.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <optional>

using namespace llvm;

namespace weft
{

namespace
{

constexpr unsigned genericSpace = 4;

/* Work-items of a sub-group where cycles are counted, on every CPU. */
constexpr unsigned elementSubgroup = 16;

/* One row of a table is one call. Neighbouring passes over functions run on one function after the other. */
class PassTable
{
      public:
	explicit PassTable(ModulePassManager &theManager) : manager(theManager)
	{
	}
	~PassTable()
	{
		endFunctions();
	}
	PassTable(const PassTable &) = delete;
	PassTable &operator=(const PassTable &) = delete;

	template <typename Pass> PassTable &module(Pass pass)
	{
		endFunctions();
		manager.addPass(std::move(pass));
		return *this;
	}
	template <typename Pass> PassTable &function(Pass pass)
	{
		if (!functions)
			functions.emplace();
		functions->addPass(std::move(pass));
		return *this;
	}
	/* Rows that are there under a condition. */
	template <typename Pass> PassTable &moduleIf(bool condition, Pass pass)
	{
		return condition ? module(std::move(pass)) : *this;
	}
	template <typename Pass> PassTable &functionIf(bool condition, Pass pass)
	{
		return condition ? function(std::move(pass)) : *this;
	}

      private:
	void endFunctions()
	{
		if (functions)
			manager.addPass(createModuleToFunctionPassAdaptor(std::move(*functions)));
		functions.reset();
	}

	ModulePassManager &manager;
	std::optional<FunctionPassManager> functions;
};

SROAPass scalarReplacement()
{
	return SROAPass(SROAOptions::ModifyCFG);
}

auto loopInvariants()
{
	return createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true);
}

/* Flattening simplifies, but neither moves nor copies a barrier. Without dead code kernels ask for those dimensions alone that they need:
 * SPIR-V's built-in variables have all three. choose-width comes before InstCombine, which finds forms for
 * vectors that have none for their elements; widen-elements leaves functions behind that are not called any more. */
KernelPipeline cpuPipeline(const PipelineOptions &options)
{
	KernelPipeline to;
	PassTable(to.checks).module(CheckCallsPass());
	PassTable(to.calls)
		.module(BoundRecursionPass())
		.module(LowerBlocksPass())
		.module(PrepareKernelsPass())
		.module(GlobalDCEPass())
		.module(LowerDmaRequestsPass())
		.module(LowerTargetTypesPass())
		.function(LowerDivisionPass())
		.function(PromotePass())
		.function(MergeWaysPass())
		.module(InlineFunctionsPass())
		.module(AddItemParametersPass())
		.module(LowerWaitsPass());
	PassTable(to.flat)
		.module(GlobalDCEPass())
		.module(LowerLocalMemoryPass())
		.function(scalarReplacement())
		.function(EarlyCSEPass())
		.function(InferAddressSpacesPass(genericSpace))
		.function(SingleItemsPass())
		.function(UnrollForSroaPass(options.quick))
		.function(scalarReplacement())
		.module(InlineImageAccessesPass())
		.function(DCEPass())
		.function(SplitInductionsPass())
		.function(SwapDimensionsPass())
		.function(TransposeLocalArraysPass())
		.function(NarrowIntegersPass())
		.function(ChooseWidthPass(options.vectorWidth))
		.module(WidenElementsPass())
		.module(GlobalDCEPass())
		.function(WidenDivisionsPass())
		.function(EarlyCSEPass())
		.function(FoldRoundTripsPass())
		.function(InstCombinePass())
		.function(PartMergedLoadsPass())
		.function(UnrollBarrierLoopsPass())
		.function(SimplifyCFGPass())
		.function(SelectWaysPass())
		.function(scalarReplacement())
		.function(EarlyCSEPass(true))
		.function(PromoteSumsPass())
		.function(EarlyCSEPass(true))
		.function(HoistLoadsPass())
		.function(EarlyCSEPass(true))
		.module(LowerPrintfPass())
		.module(LowerEnqueuePass())
		.module(LowerHostCallsPass());
	PassTable(to.groups)
		.function(ArgumentAccessPass())
		.functionIf(options.footprints, ArgumentFootprintsPass())
		.function(PrivatizeUpdatesPass())
		.function(CoalesceWorkGroupsPass())
		.functionIf(!options.quick, FlattenGridStridesPass())
		.functionIf(!options.quick, InterchangeItemsPass())
		.function(SplitAtBarriersPass())
		.function(SplitInductionsPass())
		.function(SpillAtBarriersPass())
		.function(WorkItemLoopsPass())
		.function(GroupIndexLoopsPass())
		.function(CollapseDimensionsPass())
		.function(HoistItemLoadsPass())
		.functionIf(!options.quick, SplitGuardedItemsPass())
		.function(WidenLoopsPass())
		.functionIf(!options.quick, UnrollWindowsPass())
		.functionIf(!options.quick, PairWindowsPass())
		.function(LowerImageCallsPass())
		.function(RelaxLocalAtomicsPass())
		.functionIf(!options.quick, ExtendIndicesPass())
		.function(BoundUnrollingPass())
		.function(SplitPrivateAccessesPass())
		.module(EmitDescriptorsPass(options.object, options.isPart))
		.module(EntryPointsPass())
		.function(FlushDenormalsPass())
		.module(LowerCpuFunctionsPass(options.precompiledBits));
	return to;
}

/* Up to count-cycles nothing may depend on the CPU: all vectors are split, functions of them are inlined, and the width is chosen
 * late. An accelerator's local memory is not another name for its private one, so single-items is left out. Groups whose ids show
 * are not coalesced, so group-index-loops is left out, too. What an element's own compiler would not leave in a loop is moved out of
 * it. Where the host is told of each access (report-accesses) no transfers are looked for. */
KernelPipeline simulatorPipeline(const PipelineOptions &options)
{
	const bool reports = options.costs->global_access == 0;
	const bool transfers = options.costs->transfers && !reports;
	KernelPipeline to;
	PassTable(to.checks).module(CheckCallsPass());
	PassTable(to.calls)
		.module(BoundRecursionPass())
		.module(LowerBlocksPass())
		.module(PrepareKernelsPass())
		.module(GlobalDCEPass())
		.module(LowerDmaRequestsPass(true))
		.module(LowerTargetTypesPass())
		.function(LowerDivisionPass())
		.module(InlineFunctionsPass(false))
		.module(AddItemParametersPass())
		.module(LowerWaitsPass());
	PassTable(to.flat)
		.module(GlobalDCEPass())
		.module(LowerLocalMemoryPass())
		.function(scalarReplacement())
		.function(EarlyCSEPass())
		.function(InferAddressSpacesPass(genericSpace))
		.function(UnrollForSroaPass(true))
		.function(scalarReplacement())
		.function(SplitVectorsPass())
		.function(EarlyCSEPass())
		.function(InstCombinePass())
		.function(SimplifyCFGPass())
		.function(scalarReplacement())
		.function(EarlyCSEPass(true))
		.function(loopInvariants())
		.function(EarlyCSEPass(true))
		.module(LowerPrintfPass())
		.module(LowerEnqueuePass())
		.module(LowerHostCallsPass(true));
	PassTable(to.groups)
		.function(ArgumentAccessPass())
		.functionIf(options.footprints, ArgumentFootprintsPass())
		.functionIf(transfers, FindTransfersPass())
		.function(CoalesceWorkGroupsPass(false))
		.function(reports ? ChooseWidthPass::scalar(elementSubgroup)
				  : ChooseWidthPass(options.vectorWidth, elementSubgroup))
		.function(SplitAtBarriersPass())
		.function(SpillAtBarriersPass())
		.functionIf(transfers, PlaceTransfersPass())
		.module(CountCyclesPass(*options.costs))
		.moduleIf(reports && !options.costs->executed, ReportAccessesPass())
		.function(WorkItemLoopsPass())
		.function(CollapseDimensionsPass())
		.function(WidenLoopsPass())
		.function(LowerImageCallsPass())
		.function(RelaxLocalAtomicsPass())
		.function(BoundUnrollingPass())
		.function(SplitPrivateAccessesPass())
		.module(EmitDescriptorsPass(options.object, options.isPart))
		.module(EntryPointsPass())
		.function(FlushDenormalsPass())
		.module(LowerCpuFunctionsPass(options.precompiledBits));
	return to;
}

} // namespace

void addProgramPasses(ModulePassManager &manager)
{
	PassTable(manager)
		.module(LowerVirtualCallsPass())
		.module(LowerCxxObjectsPass())
		.module(LowerIndirectCallsPass())
		.module(LowerFastMathPass());
}

KernelPipeline kernelPipeline(const PipelineOptions &options)
{
	return options.costs ? simulatorPipeline(options) : cpuPipeline(options);
}

void addKernelPasses(ModulePassManager &manager)
{
	KernelPipeline pipeline = cpuPipeline({});
	for (ModulePassManager *stage :
	     {&pipeline.checks, &pipeline.calls, &pipeline.flat, &pipeline.groups})
		manager.addPass(std::move(*stage));
}

void addSignaturePasses(ModulePassManager &manager, const PipelineOptions &options)
{
	PassTable(manager)
		.module(PrepareKernelsPass())
		.module(LowerTargetTypesPass())
		.module(EmitDescriptorsPass(options.object, options.isPart));
}

void addVectorizerStart(FunctionPassManager &passes)
{
	passes.addPass(MarkScalarLoopsPass());
}

void addLastPasses(ModulePassManager &manager, bool optimise, LastPassesTarget target)
{
	PassTable(manager)
		.function(MergeElementComparesPass())
		.functionIf(target.hasSaturatingConversions, LowerSaturationAvx512Pass())
		.function(LowerSaturationPass())
		.functionIf(target.lowersHalves, LowerHalfVectorsPass())
		.functionIf(optimise, LowerHighProductsPass())
		.functionIf(optimise, ForwardLocalStoresPass())
		.functionIf(optimise, StraightLineStrengthReducePass())
		.functionIf(optimise, NarrowGathersPass())
		.functionIf(optimise, PrefetchScattersPass())
		.functionIf(optimise, LowerScatteredPass())
		.functionIf(optimise && target.selectsMinima, FormMinimaPass())
		.functionIf(optimise && target.hasTernaryLogic, FormTernaryLogicPass())
		.functionIf(optimise, InterleaveIterationsPass())
		.functionIf(optimise && target.hasBroadcastOperands, SinkBroadcastsPass())
		.functionIf(optimise, StreamStoresPass())
		.functionIf(optimise && target.hasMaskRegisters, ShareFullMasksPass())
		.function(DoubleBeforeRepeatingPass())
		.moduleIf(optimise, HashSwitchesPass());
}

} // namespace weft

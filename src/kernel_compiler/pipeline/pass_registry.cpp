/* SPDX-License-Identifier: MIT
 *
 * From PassRegistry.def to LLVM's pass builder.
 */
#include "pipeline/pass_registry.h"

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
#include "ir/address_space_alias.h"
#include "ir/regions.h"
#include "ir/uniformity.h"
#include "lanes/hoist_item_loads.h"
#include "lanes/lane_shapes.h"
#include "lanes/split_guarded_items.h"
#include "layout/part_merged_loads.h"
#include "layout/swap_dimensions.h"
#include "layout/transpose_local_arrays.h"
#include "pipeline/pipeline_tables.h"
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

using namespace llvm;

namespace weft
{

namespace
{

using Elements = ArrayRef<PassBuilder::PipelineElement>;

bool parseModulePass(StringRef wanted, ModulePassManager &manager, Elements)
{
	if (wanted == "weft") {
		addKernelPasses(manager);
		return true;
	}
#define WEFT_MODULE_PASS(name, type)                                                               \
	if (wanted == name) {                                                                      \
		manager.addPass(type());                                                           \
		return true;                                                                       \
	}
#include "pipeline/PassRegistry.def"
	return false;
}

bool parseFunctionPass(StringRef wanted, FunctionPassManager &manager, Elements)
{
#define WEFT_FUNCTION_PASS(name, type)                                                             \
	if (wanted == name) {                                                                      \
		manager.addPass(type());                                                           \
		return true;                                                                       \
	}
#include "pipeline/PassRegistry.def"
	return false;
}

bool parseAliasAnalysis(StringRef wanted, AAManager &manager)
{
	if (wanted != "weft-address-spaces")
		return false;
	manager.registerFunctionAnalysis<AddressSpaceAliasAnalysis>();
	return true;
}

} // namespace

void registerAnalyses(FunctionAnalysisManager &analyses)
{
#define WEFT_FUNCTION_ANALYSIS(type) analyses.registerPass([] { return type(); });
#include "pipeline/PassRegistry.def"
}

void registerPasses(PassBuilder &builder)
{
	if (PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks()) {
#define WEFT_MODULE_PASS(text, type) callbacks->addClassToPassName(type::name(), text);
#define WEFT_FUNCTION_PASS(text, type) callbacks->addClassToPassName(type::name(), text);
#include "pipeline/PassRegistry.def"
	}
	builder.registerAnalysisRegistrationCallback(registerAnalyses);
	builder.registerPipelineParsingCallback(parseModulePass);
	builder.registerPipelineParsingCallback(parseFunctionPass);
	builder.registerParseAACallback(parseAliasAnalysis);
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * From PassRegistry.def to LLVM's pass builder.
 */
#include "pass_registry.h"

#include "passes/argument_access.h"
#include "passes/bound_unrolling.h"
#include "passes/check_calls.h"
#include "passes/choose_width.h"
#include "passes/count_cycles.h"
#include "passes/emit_descriptors.h"
#include "passes/entry_points.h"
#include "passes/find_transfers.h"
#include "passes/flush_denormals.h"
#include "passes/fold_rows.h"
#include "passes/forward_lanes.h"
#include "passes/fuse_groups.h"
#include "passes/hoist_loads.h"
#include "passes/inline_functions.h"
#include "passes/join_logic.h"
#include "passes/join_tests.h"
#include "passes/lane_shapes.h"
#include "passes/load_parameters.h"
#include "passes/lower_cpu_functions.h"
#include "passes/lower_division.h"
#include "passes/lower_local_memory.h"
#include "passes/lower_printf.h"
#include "passes/lower_requests.h"
#include "passes/lower_scattered.h"
#include "passes/lower_target_types.h"
#include "passes/mark_scalar_loops.h"
#include "passes/narrow_gathers.h"
#include "passes/number_groups.h"
#include "passes/pair_rounds.h"
#include "passes/place_transfers.h"
#include "passes/prepare_kernels.h"
#include "passes/regions.h"
#include "passes/relax_local_atomics.h"
#include "passes/report_accesses.h"
#include "passes/single_items.h"
#include "passes/spill_at_barriers.h"
#include "passes/split_at_barriers.h"
#include "passes/split_vectors.h"
#include "passes/stream_stores.h"
#include "passes/uniformity.h"
#include "passes/unroll_arrays.h"
#include "passes/unroll_trees.h"
#include "passes/widen_loops.h"
#include "passes/work_item_loops.h"
#include "pipeline_tables.h"

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
#include "PassRegistry.def"
	return false;
}

bool parseFunctionPass(StringRef wanted, FunctionPassManager &manager, Elements)
{
#define WEFT_FUNCTION_PASS(name, type)                                                             \
	if (wanted == name) {                                                                      \
		manager.addPass(type());                                                           \
		return true;                                                                       \
	}
#include "PassRegistry.def"
	return false;
}

} // namespace

void registerAnalyses(FunctionAnalysisManager &analyses)
{
#define WEFT_FUNCTION_ANALYSIS(type) analyses.registerPass([] { return type(); });
#include "PassRegistry.def"
}

void registerPasses(PassBuilder &builder)
{
	builder.registerAnalysisRegistrationCallback(registerAnalyses);
	builder.registerPipelineParsingCallback(parseModulePass);
	builder.registerPipelineParsingCallback(parseFunctionPass);
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * From PassRegistry.def to LLVM's pass builder.
 */
#include "registry.h"

#include "argument_access.h"
#include "bound_unrolling.h"
#include "check_calls.h"
#include "choose_width.h"
#include "count_cycles.h"
#include "emit_descriptors.h"
#include "entry_points.h"
#include "find_transfers.h"
#include "flush_denormals.h"
#include "fold_rows.h"
#include "forward_lanes.h"
#include "fuse_groups.h"
#include "hoist_loads.h"
#include "inline_functions.h"
#include "join_logic.h"
#include "join_tests.h"
#include "lane_shapes.h"
#include "load_parameters.h"
#include "lower_cpu_functions.h"
#include "lower_division.h"
#include "lower_local_memory.h"
#include "lower_printf.h"
#include "lower_requests.h"
#include "lower_scattered.h"
#include "lower_target_types.h"
#include "mark_scalar_loops.h"
#include "narrow_gathers.h"
#include "number_groups.h"
#include "pair_rounds.h"
#include "pipeline_tables.h"
#include "place_transfers.h"
#include "prepare_kernels.h"
#include "regions.h"
#include "relax_local_atomics.h"
#include "report_accesses.h"
#include "single_items.h"
#include "spill_at_barriers.h"
#include "split_at_barriers.h"
#include "split_vectors.h"
#include "stream_stores.h"
#include "uniformity.h"
#include "unroll_arrays.h"
#include "unroll_trees.h"
#include "widen_loops.h"
#include "work_item_loops.h"

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

/* SPDX-License-Identifier: MIT
 *
 * The pipeline: our passes in their order, then LLVM's optimisations for the host, within a budget.
 */
#include "pipeline.h"

#include "code_generation.h"
#include "pass_budget.h"
#include "pass_times.h"
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
#include "passes/registry.h"
#include "passes/relax_local_atomics.h"
#include "passes/report_accesses.h"
#include "passes/scattered_costs.h"
#include "passes/single_items.h"
#include "passes/spill_at_barriers.h"
#include "passes/split_at_barriers.h"
#include "passes/split_vectors.h"
#include "passes/stream_stores.h"
#include "passes/unroll_arrays.h"
#include "passes/unroll_trees.h"
#include "passes/widen_loops.h"
#include "passes/work_item_loops.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/StraightLineStrengthReduce.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

/* What a function may have for LLVM's full pipeline, some of whose passes grow with the square of it. */
constexpr unsigned fullInstructions = 60000, fullBlocks = 2000, fullLoops = 200;
/* Past these nothing but SSA form is made. */
constexpr unsigned cheapInstructions = 400000, cheapBlocks = 10000;
/* Past this many instructions in one basic block the vectorizers, which look at pairs, take too long. */
constexpr unsigned vectorBudget = 3000;
/* And past these the machine scheduler and the analyses of values that live across blocks, so code generation takes its
 * quick way. */
constexpr unsigned scheduleBudget = 10000, liveBlocks = 3000, liveLoops = 400;
/* And past these register allocation that looks at a whole function does. */
constexpr unsigned localInstructions = 50000, localBlocks = 10000;

constexpr unsigned genericSpace = 4;

/* Work-items of a sub-group where cycles are counted, on every CPU. */
constexpr unsigned elementSubgroup = 16;

/* Collects errors instead of ending the process. Warnings and remarks are dropped. */
class LogHandler : public DiagnosticHandler
{
      public:
	LogHandler(std::string &theLog, bool &theFailed) : log(theLog), failed(theFailed)
	{
	}

	bool handleDiagnostics(const DiagnosticInfo &info) override
	{
		if (info.getSeverity() != DS_Error)
			return true;
		raw_string_ostream out(log);
		DiagnosticPrinterRawOStream printer(out);
		info.print(printer);
		out << '\n';
		failed = true;
		return true;
	}

      private:
	std::string &log;
	bool &failed;
};

/* A kernel has no C library: printf is OpenCL's and must not become puts, and no loop becomes a call that is
 * not there. Code generation's own three are. */
TargetLibraryInfoImpl kernelLibrary(const Triple &triple)
{
	TargetLibraryInfoImpl library(triple);
	library.disableAllFunctions();
	for (LibFunc function : {LibFunc_memcpy, LibFunc_memmove, LibFunc_memset})
		library.setAvailable(function);
	return library;
}

struct Managers {
	LoopAnalysisManager loops;
	FunctionAnalysisManager functions;
	CGSCCAnalysisManager components;
	ModuleAnalysisManager modules;

	Managers(PassBuilder &builder, const Triple &triple)
	{
		/* The first registration counts. */
		functions.registerPass(
			[&] { return TargetLibraryAnalysis(kernelLibrary(triple)); });
		builder.registerModuleAnalyses(modules);
		builder.registerCGSCCAnalyses(components);
		builder.registerFunctionAnalyses(functions);
		builder.registerLoopAnalyses(loops);
		builder.crossRegisterProxies(loops, functions, components, modules);
	}
};

/* What passes are measured and limited by. */
struct Instruments {
	PassInstrumentationCallbacks callbacks;
	PassTimes times{callbacks};
	PassLimits limits{callbacks};
};

/* While it lives, errors go to the log. */
class ErrorScope
{
      public:
	ErrorScope(LLVMContext &theContext, std::string &log)
	    : context(theContext), previous(theContext.getDiagnosticHandler())
	{
		context.setDiagnosticHandler(std::make_unique<LogHandler>(log, failed));
	}
	~ErrorScope()
	{
		context.setDiagnosticHandler(std::move(previous));
	}
	ErrorScope(const ErrorScope &) = delete;
	ErrorScope &operator=(const ErrorScope &) = delete;

	bool failed = false;

      private:
	LLVMContext &context;
	std::unique_ptr<DiagnosticHandler> previous;
};

/* To SSA form, and nothing that would move or copy a barrier. */
FunctionPassManager simplification(const PipelineOptions &options)
{
	FunctionPassManager passes;
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	passes.addPass(EarlyCSEPass());
	passes.addPass(InferAddressSpacesPass(genericSpace));
	/* An accelerator's local memory is not another name for its private one. */
	if (!options.costs)
		passes.addPass(SingleItemsPass());
	passes.addPass(UnrollArraysPass());
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	/* Before InstCombine, which finds forms for vectors that have none for their elements. */
	if (options.costs)
		passes.addPass(SplitVectorsPass());
	else
		passes.addPass(ChooseWidthPass(options.vectorWidth));
	passes.addPass(EarlyCSEPass());
	passes.addPass(InstCombinePass());
	if (!options.costs)
		passes.addPass(UnrollTreesPass());
	passes.addPass(SimplifyCFGPass());
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	passes.addPass(EarlyCSEPass(true));
	if (!options.costs) {
		passes.addPass(HoistLoadsPass());
		passes.addPass(EarlyCSEPass(true));
	}
	return passes;
}

/* What an element's own compiler would not leave in a loop. */
FunctionPassManager loopSimplification()
{
	FunctionPassManager passes;
	passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
	passes.addPass(EarlyCSEPass(true));
	return passes;
}

/* Code generation has loop passes and a scheduler of its own; optnone is the way to turn them off for one
 * function. What came before has made SSA form and removed what was computed twice. How registers are allocated is
 * decided for the module. */
void hurryCodeGeneration(Module &module, TargetMachine &machine)
{
	for (Function &function : module) {
		if (function.isDeclaration())
			continue;
		FunctionSize size(function, true);
		if (size.largestBlock <= scheduleBudget && size.blocks <= liveBlocks &&
		    size.loops <= liveLoops)
			continue;
		weft_log(WEFT_LOG_INFO, "compiler",
			 "%s: %u instructions, %u in a block, %u blocks, %u loops: quick code "
			 "generation",
			 function.getName().str().c_str(), size.instructions, size.largestBlock,
			 size.blocks, size.loops);
		function.removeFnAttr(Attribute::AlwaysInline);
		function.removeFnAttr(Attribute::OptimizeForSize);
		function.removeFnAttr(Attribute::MinSize);
		function.addFnAttr(Attribute::NoInline);
		function.addFnAttr(Attribute::OptimizeNone);
		if (size.largestBlock > localInstructions || size.blocks > localBlocks) {
			machine.setOptLevel(CodeGenOptLevel::None);
			machine.setFastISel(true);
		}
	}
}

/* What pays most for its time, each pass linear in the size. */
ModulePassManager cheapOptimisations(const FunctionSize &size)
{
	const bool simplifies =
		size.instructions <= cheapInstructions && size.blocks <= cheapBlocks;
	FunctionPassManager passes;
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	passes.addPass(EarlyCSEPass(true));
	if (simplifies) {
		passes.addPass(SimplifyCFGPass());
		passes.addPass(InstCombinePass());
	}
	if (simplifies && size.loops <= fullLoops) {
		passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
		passes.addPass(EarlyCSEPass());
	}
	ModulePassManager manager;
	manager.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
	manager.addPass(GlobalDCEPass());
	return manager;
}

/* By the largest function, since what grows faster than it should grows in one function. */
ModulePassManager optimisations(PassBuilder &builder, TargetMachine &machine, const Module &module,
				bool optimise)
{
	if (!optimise)
		return builder.buildO0DefaultPipeline(OptimizationLevel::O0);
	FunctionSize most;
	for (const Function &function : module)
		most.raise(FunctionSize(function, true));
	builder.registerVectorizerStartEPCallback(
		[](FunctionPassManager &passes, OptimizationLevel) {
			passes.addPass(MarkScalarLoopsPass());
		});
	bool isSmall = most.instructions <= fullInstructions && most.blocks <= fullBlocks &&
		       most.loops <= fullLoops;
	if (isSmall && most.largestBlock <= vectorBudget)
		return builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
	weft_log(WEFT_LOG_INFO, "compiler",
		 "%u instructions, %u in a block, %u blocks, %u loops in a function: past the "
		 "budget, optimised less",
		 most.instructions, most.largestBlock, most.blocks, most.loops);
	if (!isSmall)
		return cheapOptimisations(most);
	PipelineTuningOptions scalar;
	scalar.LoopVectorization = false;
	scalar.SLPVectorization = false;
	scalar.LoopUnrolling = false;
	PassBuilder scalarBuilder(&machine, scalar);
	return scalarBuilder.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
}

bool isSound(Module &module, std::string &log)
{
#ifdef NDEBUG
	(void)module;
	(void)log;
	return true;
#else
	raw_string_ostream out(log);
	return !verifyModule(module, &out);
#endif
}

/* To kernels without calls but those that stay. Functions that no kernel calls go first. */
void addCallPasses(ModulePassManager &manager, const PipelineOptions &options)
{
	manager.addPass(PrepareKernelsPass());
	manager.addPass(GlobalDCEPass());
	manager.addPass(LowerRequestsPass(options.costs));
	manager.addPass(LowerTargetTypesPass());
	manager.addPass(createModuleToFunctionPassAdaptor(LowerDivisionPass()));
	manager.addPass(InlineFunctionsPass());
}

/* To flat kernels. */
void addFlatteningPasses(ModulePassManager &manager, const PipelineOptions &options)
{
	manager.addPass(GlobalDCEPass());
	manager.addPass(LowerLocalMemoryPass());
	manager.addPass(createModuleToFunctionPassAdaptor(simplification(options)));
	if (options.costs)
		manager.addPass(createModuleToFunctionPassAdaptor(loopSimplification()));
	else
		manager.addPass(LoadParametersPass());
	manager.addPass(LowerPrintfPass());
}

/* Where cycles are counted the width is chosen late: nothing before it may depend on the CPU. */
void addFissionPasses(ModulePassManager &manager, const PipelineOptions &options)
{
	const bool reports = options.costs && options.costs->global_access == 0;
	const bool transfers = options.costs && options.costs->transfers && !reports;
	FunctionPassManager kernelPasses;
	kernelPasses.addPass(ArgumentAccessPass());
	if (transfers)
		kernelPasses.addPass(FindTransfersPass());
	kernelPasses.addPass(FuseGroupsPass(!options.costs));
	if (options.costs)
		kernelPasses.addPass(
			reports ? ChooseWidthPass::scalar(elementSubgroup)
				: ChooseWidthPass(options.vectorWidth, elementSubgroup));
	kernelPasses.addPass(SplitAtBarriersPass());
	kernelPasses.addPass(SpillAtBarriersPass());
	if (transfers)
		kernelPasses.addPass(PlaceTransfersPass());
	manager.addPass(createModuleToFunctionPassAdaptor(std::move(kernelPasses)));
	if (options.costs)
		manager.addPass(CountCyclesPass(*options.costs));
	if (reports)
		manager.addPass(ReportAccessesPass());
}

/* From there to kernels. */
void addRegionPasses(ModulePassManager &manager, const PipelineOptions &options)
{
	addFissionPasses(manager, options);
	FunctionPassManager kernelPasses;
	kernelPasses.addPass(WorkItemLoopsPass());
	kernelPasses.addPass(NumberGroupsPass());
	kernelPasses.addPass(FoldRowsPass());
	kernelPasses.addPass(WidenLoopsPass());
	kernelPasses.addPass(RelaxLocalAtomicsPass());
	kernelPasses.addPass(BoundUnrollingPass());
	manager.addPass(createModuleToFunctionPassAdaptor(std::move(kernelPasses)));
	manager.addPass(EmitDescriptorsPass(options.object));
	manager.addPass(EntryPointsPass());
	manager.addPass(createModuleToFunctionPassAdaptor(FlushDenormalsPass()));
	manager.addPass(LowerCpuFunctionsPass());
}

/* After LLVM's optimisations. */
void addLastPasses(ModulePassManager &manager, const TargetMachine &machine, bool optimise)
{
	FunctionPassManager passes;
	passes.addPass(JoinTestsPass());
	if (optimise) {
		passes.addPass(ForwardLanesPass());
		passes.addPass(StraightLineStrengthReducePass());
		passes.addPass(NarrowGathersPass());
		passes.addPass(LowerScatteredPass());
	}
	if (optimise && hasTernaryLogic(machine))
		passes.addPass(JoinLogicPass());
	if (optimise) {
		passes.addPass(PairRoundsPass());
		passes.addPass(StreamStoresPass());
	}
	manager.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
}

} // namespace

void addKernelPasses(ModulePassManager &manager, const PipelineOptions &options)
{
	addCallPasses(manager, options);
	addFlatteningPasses(manager, options);
	addRegionPasses(manager, options);
}

bool runKernelPasses(Module &module, TargetMachine &machine, const PipelineOptions &options,
		     std::string &log)
{
	ErrorScope errors(module.getContext(), log);
	/* What is counted later does not depend on what this machine does best. */
	Instruments instruments;
	PassBuilder earlyBuilder(options.costs ? nullptr : &machine, PipelineTuningOptions(),
				 std::nullopt, &instruments.callbacks);
	PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt,
			    &instruments.callbacks);
	registerPasses(earlyBuilder);
	registerPasses(builder);
	Managers early(earlyBuilder, machine.getTargetTriple());
	Managers managers(builder, machine.getTargetTriple());
	ModulePassManager calls, flattening, regions;
	addCallPasses(calls, options);
	addFlatteningPasses(flattening, options);
	addRegionPasses(regions, options);
	if (options.slowGathers)
		markSlowGathers(module);
	CheckCallsPass().run(module, early.modules);
	instruments.limits.begin();
	/* What does not end, or would become too large, is not inlined. */
	if (!errors.failed)
		calls.run(module, early.modules);
	if (!errors.failed)
		flattening.run(module, early.modules);
	if (!errors.failed)
		regions.run(module, managers.modules);
	return !errors.failed && isSound(module, log);
}

bool optimiseKernels(Module &module, TargetMachine &machine, bool optimise, std::string &log)
{
	ErrorScope errors(module.getContext(), log);
	Instruments instruments;
	PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt,
			    &instruments.callbacks);
	registerPasses(builder);
	Managers managers(builder, machine.getTargetTriple());
	instruments.limits.begin();
	ModulePassManager passes = optimisations(builder, machine, module, optimise);
	addLastPasses(passes, machine, optimise);
	passes.run(module, managers.modules);
	if (optimise)
		hurryCodeGeneration(module, machine);
	return !errors.failed && isSound(module, log);
}

} // namespace weft

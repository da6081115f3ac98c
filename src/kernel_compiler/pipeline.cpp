/* SPDX-License-Identifier: MIT
 *
 * The pipeline: our passes in their order, then LLVM's optimisations for the host, within a budget.
 */
#include "pipeline.h"

#include "kernel_descriptor.h"
#include "passes/argument_access.h"
#include "passes/check_calls.h"
#include "passes/choose_inlining.h"
#include "passes/choose_width.h"
#include "passes/entry_points.h"
#include "passes/fold_rows.h"
#include "passes/fuse_groups.h"
#include "passes/join_tests.h"
#include "passes/lower_division.h"
#include "passes/lower_local_memory.h"
#include "passes/lower_printf.h"
#include "passes/lower_target_types.h"
#include "passes/mark_scalar_loops.h"
#include "passes/prepare_kernels.h"
#include "passes/registry.h"
#include "passes/relax_local_atomics.h"
#include "passes/spill_at_barriers.h"
#include "passes/split_at_barriers.h"
#include "passes/widen_loops.h"
#include "passes/work_item_loops.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

extern "C" {
#include "log.h"
}

using namespace llvm;

namespace weft
{

namespace
{

/* Past this many instructions, or loops in one function, LLVM's full pipeline takes too long: some of its
 * loop passes grow with the square of their number. Past the second limit nothing but SSA form is made. */
constexpr unsigned fullBudget = 60000;
constexpr unsigned loopBudget = 200;
constexpr unsigned cheapBudget = 400000;
/* Past this many instructions in one basic block the vectorizers, which look at pairs, take too long. */
constexpr unsigned vectorBudget = 3000;
/* And past this many the machine scheduler, so code generation takes its quick way. */
constexpr unsigned scheduleBudget = 10000;
constexpr unsigned reduceBudget = 400; /* loops; the same for loop strength reduction */

constexpr unsigned genericSpace = 4;

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

/* To SSA form, and nothing that would move or copy a barrier. */
FunctionPassManager simplification(unsigned vectorWidth)
{
	FunctionPassManager passes;
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	passes.addPass(EarlyCSEPass());
	passes.addPass(InferAddressSpacesPass(genericSpace));
	/* Before InstCombine, which finds forms for vectors that have none for their elements. */
	passes.addPass(ChooseWidthPass(vectorWidth));
	passes.addPass(EarlyCSEPass());
	passes.addPass(InstCombinePass());
	passes.addPass(SimplifyCFGPass());
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	passes.addPass(EarlyCSEPass(true));
	return passes;
}

/* Loops that work-item-loops and the source have made: back edges, near enough. */
unsigned countLoops(const Function &function)
{
	SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 16> edges;
	if (!function.isDeclaration())
		FindFunctionBackedges(function, edges);
	return unsigned(edges.size());
}

size_t largestBlock(const Function &function)
{
	size_t most = 0;
	for (const BasicBlock &block : function)
		most = std::max(most, block.size());
	return most;
}

/* Code generation has loop passes and a scheduler of its own; optnone is the way to turn them off for one
 * function. What came before has made SSA form and removed what was computed twice. */
void hurryCodeGeneration(Module &module, TargetMachine &machine)
{
	for (Function &function : module) {
		if (function.isDeclaration())
			continue;
		size_t block = largestBlock(function);
		unsigned loops = countLoops(function);
		if (block <= scheduleBudget && loops <= reduceBudget)
			continue;
		weft_log(WEFT_LOG_INFO, "compiler",
			 "%s: a block of %zu instructions, %u loops: quick code generation",
			 function.getName().str().c_str(), block, loops);
		function.removeFnAttr(Attribute::AlwaysInline);
		function.removeFnAttr(Attribute::OptimizeForSize);
		function.removeFnAttr(Attribute::MinSize);
		function.addFnAttr(Attribute::NoInline);
		function.addFnAttr(Attribute::OptimizeNone);
		/* The analysis that loop strength reduction asks for comes whatever the function says. */
		if (loops > reduceBudget)
			machine.setOptLevel(CodeGenOptLevel::None);
	}
}

/* What pays most for its time, each pass linear in the size. */
ModulePassManager cheapOptimisations(bool withLoops)
{
	FunctionPassManager passes;
	passes.addPass(SROAPass(SROAOptions::ModifyCFG));
	passes.addPass(EarlyCSEPass(true));
	if (withLoops) {
		passes.addPass(SimplifyCFGPass());
		passes.addPass(InstCombinePass());
		passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
		passes.addPass(EarlyCSEPass());
	}
	ModulePassManager manager;
	manager.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
	manager.addPass(GlobalDCEPass());
	return manager;
}

ModulePassManager optimisations(PassBuilder &builder, TargetMachine &machine, const Module &module,
				const PipelineOptions &options)
{
	if (!options.optimise)
		return builder.buildO0DefaultPipeline(OptimizationLevel::O0);
	unsigned count = module.getInstructionCount();
	unsigned loops = 0;
	size_t block = 0;
	for (const Function &function : module) {
		loops = std::max(loops, countLoops(function));
		block = std::max(block, largestBlock(function));
	}
	if (count <= fullBudget && loops <= loopBudget && block <= vectorBudget)
		return builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
	weft_log(WEFT_LOG_INFO, "compiler",
		 "%u instructions, %zu in a block, %u loops in a function: past the budget, "
		 "optimised less",
		 count, block, loops);
	if (count > fullBudget || loops > loopBudget)
		return cheapOptimisations(count <= cheapBudget);
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

} // namespace

void addKernelPasses(ModulePassManager &manager, unsigned vectorWidth)
{
	manager.addPass(PrepareKernelsPass());
	manager.addPass(LowerTargetTypesPass());
	manager.addPass(createModuleToFunctionPassAdaptor(LowerDivisionPass()));
	manager.addPass(ChooseInliningPass());
	manager.addPass(AlwaysInlinerPass());
	manager.addPass(GlobalDCEPass());
	manager.addPass(LowerLocalMemoryPass());
	manager.addPass(createModuleToFunctionPassAdaptor(simplification(vectorWidth)));
	manager.addPass(LowerPrintfPass());
	FunctionPassManager kernelPasses;
	kernelPasses.addPass(ArgumentAccessPass());
	kernelPasses.addPass(FuseGroupsPass());
	kernelPasses.addPass(SplitAtBarriersPass());
	kernelPasses.addPass(SpillAtBarriersPass());
	kernelPasses.addPass(WorkItemLoopsPass());
	kernelPasses.addPass(FoldRowsPass());
	kernelPasses.addPass(WidenLoopsPass());
	kernelPasses.addPass(RelaxLocalAtomicsPass());
	kernelPasses.addPass(MarkScalarLoopsPass());
	manager.addPass(createModuleToFunctionPassAdaptor(std::move(kernelPasses)));
	manager.addPass(EmitDescriptorsPass());
	manager.addPass(EntryPointsPass());
}

bool runKernelPipeline(Module &module, TargetMachine &machine, const PipelineOptions &options,
		       std::string &log)
{
	LLVMContext &context = module.getContext();
	bool failed = false;
	std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
	context.setDiagnosticHandler(std::make_unique<LogHandler>(log, failed));

	PipelineTuningOptions tuning;
	PassBuilder builder(&machine, tuning);
	registerPasses(builder);
	Managers managers(builder, machine.getTargetTriple());
	CheckCallsPass().run(module, managers.modules);
	if (!failed) {
		ModulePassManager passes;
		addKernelPasses(passes, options.vectorWidth);
		passes.run(module, managers.modules);
	}
	if (!failed && isSound(module, log)) {
		ModulePassManager passes = optimisations(builder, machine, module, options);
		passes.addPass(createModuleToFunctionPassAdaptor(JoinTestsPass()));
		passes.run(module, managers.modules);
		if (options.optimise)
			hurryCodeGeneration(module, machine);
		failed = !isSound(module, log);
	}
	context.setDiagnosticHandler(std::move(previous));
	return !failed;
}

} // namespace weft

/* SPDX-License-Identifier: MIT
 *
 * Runs the pipelines of pipeline_tables.h, and LLVM's optimisations for the host within a budget.
 */
#include "pipeline/pipeline.h"

#include "code_generation/code_generation.h"
#include "costs/register_pressure.h"
#include "costs/scattered_costs.h"
#include "costs/vector_registers.h"
#include "kernel/quick_code.h"
#include "pipeline/pass_budget.h"
#include "pipeline/pass_changes.h"
#include "pipeline/pass_registry.h"
#include "pipeline/pass_times.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
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

/* Limits of a function for LLVM's full pipeline; the time of some passes grows with the square of the size. */
constexpr unsigned fullInstructions = 60000, fullBlocks = 2000, fullLoops = 200;
/* Past these limits only SSA form is made; past the number of blocks not even that. */
constexpr unsigned cheapInstructions = 400000, cheapBlocks = 5000;
/* Past this many instructions in one basic block the vectorizers, which look at pairs, take too long. */
constexpr unsigned vectorBudget = 3000;
/* And past these the machine scheduler and the analyses of values that live across blocks, so code generation takes its
 * quick way. */
constexpr unsigned scheduleBudget = 10000, liveBlocks = 3000, liveLoops = 400;
/* And past these register allocation that looks at a whole function does. */
constexpr unsigned localInstructions = 200000, localBlocks = 5000;
/* And past these the branches of quick code are not threaded. */
constexpr unsigned threadInstructions = 1000, threadBlocks = 100;
constexpr unsigned leastAligned = 128; /* bits: the stack is always aligned so far */

/* Collects errors instead of ending the process. All else goes to the handler before. */
class LogHandler : public DiagnosticHandler
{
      public:
	LogHandler(std::string &theLog, bool &theFailed, DiagnosticHandler &theNext)
	    : log(theLog), failed(theFailed), next(theNext)
	{
	}

	bool handleDiagnostics(const DiagnosticInfo &info) override
	{
		if (info.getSeverity() != DS_Error)
			return next.handleDiagnostics(info);
		raw_string_ostream out(log);
		DiagnosticPrinterRawOStream printer(out);
		info.print(printer);
		out << '\n';
		failed = true;
		return true;
	}

	bool isAnalysisRemarkEnabled(StringRef pass) const override
	{
		return next.isAnalysisRemarkEnabled(pass);
	}

	bool isMissedOptRemarkEnabled(StringRef pass) const override
	{
		return next.isMissedOptRemarkEnabled(pass);
	}

	bool isPassedOptRemarkEnabled(StringRef pass) const override
	{
		return next.isPassedOptRemarkEnabled(pass);
	}

	bool isAnyRemarkEnabled() const override
	{
		return next.isAnyRemarkEnabled();
	}

      private:
	std::string &log;
	bool &failed;
	DiagnosticHandler &next;
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
		functions.registerPass([&] {
			AAManager aliases;
			cantFail(builder.parseAAPipeline(aliases, aliasAnalyses));
			return aliases;
		});
		builder.registerModuleAnalyses(modules);
		builder.registerCGSCCAnalyses(components);
		builder.registerFunctionAnalyses(functions);
		builder.registerLoopAnalyses(loops);
		builder.crossRegisterProxies(loops, functions, components, modules);
	}
};

/* Watches and measures passes, and limits them. */
struct Instruments {
	PassInstrumentationCallbacks callbacks;
	PassChanges changes{callbacks}; /* what it costs is outside of the times */
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
		context.setDiagnosticHandler(std::make_unique<LogHandler>(log, failed, *previous));
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

/* Code generation has loop passes and its own scheduler; optnone is the way to turn them off for one
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

/* Of vectors; masks have registers of their own. */
unsigned registersOf(const Instruction &value, unsigned registerBits)
{
	const Type *type = value.getType();
	if (!type->isVectorTy() || type->isIntOrIntVectorTy(1))
		return 0;
	return unsigned(divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), registerBits));
}

/* Vectors that the registers may not hold lie on a stack that is aligned for them, each in one line of the cache: when LLVM finds out
 * that there are such, it is too late for that. Numbers that all vectors share take registers, too. */
void alignSpills(Module &module, TargetMachine &machine)
{
	for (Function &function : module) {
		const VectorRegisters registers =
			vectorRegisters(machine.getTargetTransformInfo(function));
		if (function.isDeclaration() || registers.bits <= leastAligned)
			continue;
		const DominatorTree dominators(function);
		const LoopInfo loops(dominators);
		ReversePostOrderTraversal<Function *> order(&function);
		SmallVector<BasicBlock *, 16> blocks(order.begin(), order.end());
		const unsigned alive = mostAlive(blocks, loops, [&](const Instruction &value) {
			return registersOf(value, registers.bits);
		});
		if (2 * alive > registers.count)
			function.addFnAttr(Attribute::getWithStackAlignment(
				module.getContext(), Align(registers.bits / 8)));
	}
}

/* The passes that gain most for their time; each is linear in the size. */
ModulePassManager cheapOptimisations(const FunctionSize &size)
{
	const bool simplifies =
		size.instructions <= cheapInstructions && size.blocks <= cheapBlocks;
	FunctionPassManager passes;
	/* Each variable that lives across thousands of regions would have a phi in most of their blocks. */
	if (size.blocks <= cheapBlocks)
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

/* Whether two branches ask the same, as those of accesses under one mask do: whether all lanes run. */
bool branchesRepeat(const Function &function)
{
	SmallPtrSet<const Value *, 16> conditions;

	return any_of(function, [&](const BasicBlock &block) {
		const auto *branch = dyn_cast<BranchInst>(block.getTerminator());

		return branch && branch->isConditional() &&
		       !conditions.insert(branch->getCondition()).second;
	});
}

/* Passes for functions that are small enough, and in which branches repeat. */
struct WhereBranchesRepeat : PassInfoMixin<WhereBranchesRepeat> {
	FunctionPassManager passes;

	PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses)
	{
		const FunctionSize size(function, false);

		if (size.instructions > threadInstructions || size.blocks > threadBlocks ||
		    !branchesRepeat(function))
			return PreservedAnalyses::all();
		return passes.run(function, analyses);
	}
};

/* For quick code: what makes less code of it, in less time than code generation saves by it; and of loops with guards what takes
 * little time. */
ModulePassManager quickOptimisations()
{
	FunctionPassManager passes;
	WhereBranchesRepeat threading;
	threading.passes.addPass(JumpThreadingPass());
	threading.passes.addPass(SimplifyCFGPass());
	threading.passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
	passes.addPass(EarlyCSEPass());
	passes.addPass(std::move(threading));
	passes.addPass(SimplifyCFGPass());
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
	if (isQuick(module))
		return quickOptimisations();
	FunctionSize most;
	for (const Function &function : module)
		most.raise(FunctionSize(function, true));
	builder.registerVectorizerStartEPCallback(
		[](FunctionPassManager &passes, OptimizationLevel) { addVectorizerStart(passes); });
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

/* Passes that ask for no analysis. */
void runAlone(Module &module, ModulePassManager &passes)
{
	Instruments instruments;
	ModuleAnalysisManager modules;
	modules.registerPass([&] { return PassInstrumentationAnalysis(&instruments.callbacks); });
	passes.run(module, modules);
}

} // namespace

void runProgramPasses(Module &module)
{
	ModulePassManager passes;
	addProgramPasses(passes);
	runAlone(module, passes);
}

void describeSignatures(Module &module, const PipelineOptions &options)
{
	ModulePassManager passes;
	addSignaturePasses(passes, options);
	runAlone(module, passes);
}

bool runKernelPasses(Module &module, TargetMachine &machine, const PipelineOptions &options,
		     std::string &log)
{
	ErrorScope errors(module.getContext(), log);
	/* Counted cycles must not depend on this machine. */
	Instruments instruments;
	PassBuilder earlyBuilder(options.costs ? nullptr : &machine, PipelineTuningOptions(),
				 std::nullopt, &instruments.callbacks);
	PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt,
			    &instruments.callbacks);
	registerPasses(earlyBuilder);
	registerPasses(builder);
	Managers early(earlyBuilder, machine.getTargetTriple());
	Managers managers(builder, machine.getTargetTriple());
	KernelPipeline pipeline = kernelPipeline(options);
	setCpu(module, costsOf(machine), options.slowGathers);
	setPermutedBits(module, permutedBits(machine));
	pipeline.checks.run(module, early.modules);
	/* What does not end, or would become too large, is not inlined. */
	if (!errors.failed)
		pipeline.calls.run(module, early.modules);
	if (!errors.failed)
		pipeline.flat.run(module, early.modules);
	if (!errors.failed)
		pipeline.groups.run(module, managers.modules);
	return !errors.failed && isSound(module, log);
}

bool optimiseKernels(Module &module, TargetMachine &machine, bool optimise, std::string &log)
{
	ErrorScope errors(module.getContext(), log);
	Instruments instruments;
	UnneededPasses unneeded(instruments.callbacks);
	PipelineTuningOptions tuning;
	tuning.SLPVectorization = true; /* of what was a vector of the source (pass_budget.cpp) */
	PassBuilder builder(&machine, tuning, std::nullopt, &instruments.callbacks);
	registerPasses(builder);
	Managers managers(builder, machine.getTargetTriple());
	ModulePassManager passes = optimisations(builder, machine, module, optimise);
	addLastPasses(passes, optimise && !isQuick(module),
		      {hasTernaryLogic(machine), lowersHalves(machine),
		       hasBroadcastOperands(machine), selectsMinima(machine),
		       hasSaturatingConversions(machine), hasMaskRegisters(machine)});
	passes.run(module, managers.modules);
	if (optimise && !isQuick(module)) {
		alignSpills(module, machine);
		hurryCodeGeneration(module, machine);
	}
	return !errors.failed && isSound(module, log);
}

} // namespace weft

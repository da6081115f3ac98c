/* SPDX-License-Identifier: MIT
 *
 * Uses LLVM's code generator for the machine that the library runs on, or for a named instruction set; nothing about the
 * CPU is decided at build time. Functions carry no target attributes: all of them are for the
 * TargetMachine's CPU.
 */
#include "code_generation/code_generation.h"

#include "code_generation/emission_passes.h"
#include "code_generation/host_cpu.h"
#include "code_generation/machine_pool.h"
#include "functions/internal_functions.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

namespace
{

std::once_flag once;

/* Options of LLVM that have no other form. The initial value: lld resets all options. `isElsewhere`: the option has its value in a
 * variable of the pass. */
template <typename Value, bool isElsewhere = false>
void setOption(llvm::StringRef name, Value value)
{
	llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);

	if (option)
		static_cast<llvm::cl::opt<Value, isElsewhere> *>(option)->setInitialValue(value);
}

void setOptions()
{
	/* LLVM 22's peephole pass folds a masked load into a masked shuffle as if lanes stayed where they are: what the
	 * mask keeps from being read is read, and fetched from the wrong place. */
	setOption("disable-peephole", true);
	/* What grows with the square of a block: of the accesses to memory that the scheduler compares, pair by pair,
	 * and of the uses of one value that the coalescer looks at for each of its copies. */
	setOption("dag-maps-huge-region", 100u);
	setOption("terminal-rule", llvm::cl::BOU_FALSE);
	/* How far dead store elimination looks back from each store. */
	setOption("dse-memoryssa-walklimit", 30u);
	/* Past so many blocks CodeGenPrepare goes on with what it has changed, in place of beginning again with the function. */
	setOption("cgpp-huge-func", 300u);
	/* Where a value lives across very many blocks, how many of them the register allocator looks at for each register. */
	setOption("grow-region-complexity-budget", 500ul);
	/* Takes a third to a half of code generation, and widened loops are not faster by it: their addresses are one scalar
	 * a vector. What it would do for products of an unrolled loop's counter, another pass does. */
	setOption("disable-lsr", true);
	/* A group that copies a row into its local memory would call the C library for it, and keep no value of it in a
	 * register. */
	setOption<bool, true>("disable-loop-idiom-memcpy", true);
}

void initialiseTarget()
{
	llvm::InitializeNativeTarget();
	llvm::InitializeNativeTargetAsmPrinter();
	LLVMInitializeRISCVTargetInfo();
	LLVMInitializeRISCVTarget();
	LLVMInitializeRISCVTargetMC();
	LLVMInitializeRISCVAsmPrinter();
	LLVMInitializeRISCVAsmParser(); /* of marks (kernel/cycle_counter.h) */
	setOptions();
}

/* An instruction set that is not this machine's. */
struct ForeignIsa {
	const char *name; /* weft_target.isa */
	const char *triple, *cpu, *features;
	const char *abi; /* LLVM's name */
};

constexpr ForeignIsa foreignIsas[] = {
	{WEFT_ISA_RISCV64, "riscv64-unknown-linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c,+zfhmin",
	 "lp64d"},
};

const ForeignIsa *findForeign(llvm::StringRef name)
{
	for (const ForeignIsa &isa : foreignIsas) {
		if (name == isa.name)
			return &isa;
	}
	return nullptr;
}

/* Asked before a TargetMachine is made, which would complain on standard error. */
bool isCpu(const llvm::Target &target, const llvm::Triple &triple, llvm::StringRef cpu)
{
	std::unique_ptr<llvm::MCSubtargetInfo> generic(
		target.createMCSubtargetInfo(triple, "", ""));

	return generic && generic->isCPUStringValid(cpu);
}

/* A line of the instruction cache of all x86 CPUs. */
constexpr unsigned lineBytes = 64;

llvm::TargetOptions targetOptions(const weft::MachineKey &key)
{
	llvm::TargetOptions options;

	options.AllowFPOpFusion = llvm::FPOpFusion::Standard; /* what the IR allows, no more */
	options.TrapUnreachable = false;
	/* A short loop that lies across two lines of the instruction cache takes another cycle or two in each iteration: without this the
	 * same loop took 25 % longer after the code in front of it had become shorter. LLVM's preset is 16. */
	if (key.triple.isX86())
		options.LoopAlignment = lineBytes;
	options.MCOptions.ABIName = key.abi;
	return options;
}

} // namespace

namespace weft
{

static std::unique_ptr<llvm::TargetMachine> makeMachine(const MachineKey &key, std::string &log)
{
	std::string error;
	const llvm::Triple &triple = key.triple;

	const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
	if (!found) {
		log += "error: " + error + "\n";
		return nullptr;
	}
	if (!isCpu(*found, triple, key.cpu)) {
		log += ("error: unknown CPU '" + key.cpu + "'\n").str();
		return nullptr;
	}
	std::unique_ptr<llvm::TargetMachine> machine(
		found->createTargetMachine(triple, key.cpu, key.features, targetOptions(key),
					   llvm::Reloc::PIC_, llvm::CodeModel::Small));
	if (!machine) {
		log += "error: no code can be made for " + triple.str() + "\n";
		return nullptr;
	}
	machine->setOptLevel(key.level);
	machine->setFastISel(key.level == llvm::CodeGenOptLevel::None);
	return machine;
}

/* Fills in all but the level. False, with a log, for an instruction set that is not known. */
static bool setKey(const weft_target &target, MachineKey &key, std::string &log)
{
	if (target.isa) {
		const ForeignIsa *isa = findForeign(target.isa);
		if (!isa) {
			log += std::string("error: unknown instruction set '") + target.isa + "'\n";
			return false;
		}
		key.triple = llvm::Triple(isa->triple);
		key.cpu = isa->cpu;
		key.features = isa->features;
		key.abi = isa->abi;
		return true;
	}
	key.triple = llvm::Triple(llvm::sys::getDefaultTargetTriple());
	key.cpu = target.cpu ? llvm::StringRef(target.cpu) : llvm::StringRef(weft::hostCpu().name);
	key.features = target.cpu ? "" : llvm::StringRef(weft::hostCpu().features);
	return true;
}

std::unique_ptr<llvm::TargetMachine> takeTargetMachine(const weft_target &target, bool optimise,
						       std::string &log)
{
	std::call_once(once, initialiseTarget);
	const llvm::CodeGenOptLevel level =
		optimise ? llvm::CodeGenOptLevel::Default : llvm::CodeGenOptLevel::None;
	MachineKey key = {level, {}, "", "", ""};
	if (!setKey(target, key, log))
		return nullptr;
	std::unique_ptr<llvm::TargetMachine> machine = takeMachine(key);
	return machine ? std::move(machine) : makeMachine(key, log);
}

llvm::StringRef costsOf(const llvm::TargetMachine &machine)
{
	/* This machine's is made with all its features, one that is named with none. */
	if (machine.getTargetTriple().isX86() && !machine.getTargetFeatureString().empty())
		return weft::hostCpu().family;
	return machine.getTargetCPU();
}

bool hasFastFma(const llvm::TargetMachine &machine)
{
	return !machine.getTargetTriple().isX86() ||
	       machine.getMCSubtargetInfo()->checkFeatures("+fma");
}

static bool hasAvx512(const llvm::TargetMachine &machine)
{
	return machine.getTargetTriple().isX86() &&
	       machine.getMCSubtargetInfo()->checkFeatures("+avx512f,+avx512vl");
}

bool hasFineEstimates(const llvm::TargetMachine &machine)
{
	return hasAvx512(machine);
}

bool hasTernaryLogic(const llvm::TargetMachine &machine)
{
	return hasAvx512(machine);
}

bool hasMaskRegisters(const llvm::TargetMachine &machine)
{
	return hasAvx512(machine);
}

bool hasBroadcastOperands(const llvm::TargetMachine &machine)
{
	return hasAvx512(machine);
}

bool hasSaturatingConversions(const llvm::TargetMachine &machine)
{
	return hasAvx512(machine) && machine.getMCSubtargetInfo()->checkFeatures("+avx512dq");
}

bool selectsMinima(const llvm::TargetMachine &machine)
{
	return machine.getTargetTriple().isX86();
}

unsigned permutedBits(const llvm::TargetMachine &machine)
{
	if (hasAvx512(machine))
		return 512;
	return machine.getTargetTriple().isX86() &&
			       machine.getMCSubtargetInfo()->checkFeatures("+avx2")
		       ? 256
		       : 0;
}

/* The instructions of x86-64-v4, of x86-64-v3, or those that all have. Kernels have registers of 512 bits wherever there are any, also
 * where LLVM would rather not use them. Which registers a function leaves as they are depends on AVX-512: a CPU that has it must not call
 * code that is made without. A CPU that fuses products and sums must not call code that rounds twice: results would not be those of the
 * library's bodies. */
unsigned precompiledBits(const llvm::TargetMachine &machine)
{
	const llvm::MCSubtargetInfo &cpu = *machine.getMCSubtargetInfo();

	if (machine.getTargetTriple().getArch() != llvm::Triple::x86_64)
		return 0;
	if (cpu.checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512cd,+fma,+bmi2"))
		return 512;
	if (cpu.checkFeatures("+avx512f"))
		return 0;
	if (cpu.checkFeatures("+avx2,+fma,+bmi,+bmi2,+lzcnt,+movbe,+f16c"))
		return 256;
	return cpu.checkFeatures("+fma") ? 0 : 128;
}

bool lowersHalves(const llvm::TargetMachine &machine)
{
	return machine.getTargetTriple().isRISCV() || machine.getTargetTriple().isX86();
}

/* Each other name gives way to what it names: for a kernel, which nothing calls, its body's function. */
static void replaceAliases(llvm::Module &module)
{
	for (llvm::GlobalAlias &alias : llvm::make_early_inc_range(module.aliases())) {
		llvm::Constant *named = alias.getAliasee();
		std::string body = (llvm::Twine(kernelBodyPrefix) + named->getName()).str();
		if (llvm::Function *function = module.getFunction(body))
			named = function;
		alias.replaceAllUsesWith(named);
		alias.eraseFromParent();
	}
}

static llvm::DIExpression *withoutAddressSpace(const llvm::DIExpression &expression)
{
	unsigned space = 0;
	const llvm::DIExpression *rest =
		llvm::DIExpression::extractAddressClass(&expression, space);

	return rest ? const_cast<llvm::DIExpression *>(rest)
		    : llvm::DIExpression::get(expression.getContext(), {});
}

/* Debuggers for this machine show no variable whose place is in an address space. */
static void dropDebugAddressSpaces(llvm::Module &module)
{
	if (!module.getNamedMetadata("llvm.dbg.cu"))
		return;
	for (llvm::Function &function : module) {
		for (llvm::Instruction &instruction : llvm::instructions(function)) {
			for (llvm::DbgVariableRecord &record :
			     llvm::filterDbgVars(instruction.getDbgRecordRange()))
				record.setExpression(withoutAddressSpace(*record.getExpression()));
		}
	}
	for (llvm::GlobalVariable &variable : module.globals()) {
		llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> places;
		variable.getDebugInfo(places);
		variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
		for (const llvm::DIGlobalVariableExpression *place : places)
			variable.addDebugInfo(llvm::DIGlobalVariableExpression::get(
				module.getContext(), place->getVariable(),
				withoutAddressSpace(*place->getExpression())));
	}
}

bool retargetModule(llvm::Module &module, const llvm::TargetMachine &machine, std::string &log)
{
	module.setTargetTriple(machine.getTargetTriple());
	module.setDataLayout(machine.createDataLayout());
	if (!module.ifunc_empty()) {
		log += "error: functions that are chosen by a resolver are not supported\n";
		return false;
	}
	replaceAliases(module);
	dropDebugAddressSpaces(module);
	for (llvm::GlobalObject &object : module.global_objects()) {
		object.setSection("");
		object.setComdat(nullptr);
		if (auto *function = llvm::dyn_cast<llvm::Function>(&object)) {
			/* Of each different set a machine keeps a description of the CPU. */
			for (const char *name : {"target-cpu", "target-features", "tune-cpu",
						 "min-legal-vector-width"})
				function->removeFnAttr(name);
		}
	}
	return true;
}

static bool generate(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
		     llvm::SmallVectorImpl<char> &code, std::string &log)
{
	llvm::raw_svector_ostream stream(code);
	llvm::legacy::PassManager passes;

	const bool lacks = addEmissionPasses(passes, machine, module, {stream, type});
	if (lacks) {
		log += "error: no object code can be made for this machine\n";
		return false;
	}
	passes.run(module);
	return true;
}

bool generateObject(llvm::Module &module, llvm::TargetMachine &machine,
		    llvm::SmallVectorImpl<char> &object, std::string &log)
{
	return generate(module, machine, llvm::CodeGenFileType::ObjectFile, object, log);
}

bool generateAssembly(llvm::Module &module, llvm::TargetMachine &machine,
		      llvm::SmallVectorImpl<char> &text, std::string &log)
{
	return generate(module, machine, llvm::CodeGenFileType::AssemblyFile, text, log);
}

} // namespace weft

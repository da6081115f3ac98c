/* SPDX-License-Identifier: MIT
 *
 * Puts LLVM's pipeline of code generation together: what addPassesToEmitFile does, with changes.
 */
#include "code_generation/emission_passes.h"

#include "code_generation/false_dependencies.h"
#include "code_generation/fold_compares.h"
#include "kernel/quick_code.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace
{

/* Past this many instructions of one block instruction selection, which takes a block at a time, looks too far. */
constexpr unsigned mostInBlock = 1000;
/* Past this many blocks of one function machine code is not moved between them. */
constexpr unsigned mostBlocks = 500;

/* Cuts large blocks. Not before: CodeGenPrepare would join them. The machine's blocks are joined again at the end. A pass
 * there changes other code, too: branch probabilities are computed anew. */
class CutBlocks : public llvm::FunctionPass
{
      public:
	static char ID;

	CutBlocks() : FunctionPass(ID)
	{
	}

	bool runOnFunction(llvm::Function &function) override
	{
		bool changed = false;
		for (llvm::BasicBlock &block : function) {
			/* The rest, a separate block, comes next. */
			if (llvm::Instruction *end = endOfPart(block)) {
				block.splitBasicBlock(end);
				changed = true;
			}
		}
		return changed;
	}

	static bool isLarge(const llvm::BasicBlock &block)
	{
		return block.size() > mostInBlock + mostInBlock / 2;
	}

      private:
	/* The first instruction of what is too much; variables stay where they are. */
	static llvm::Instruction *endOfPart(llvm::BasicBlock &block)
	{
		unsigned size = 0;
		if (!isLarge(block))
			return nullptr;
		for (llvm::Instruction &instruction : block) {
			if (llvm::isa<llvm::AllocaInst>(instruction))
				size = 0;
			else if (++size > mostInBlock && !llvm::isa<llvm::PHINode>(instruction) &&
				 !instruction.isTerminator())
				return &instruction;
		}
		return nullptr;
	}
};

char CutBlocks::ID;

bool isLarge(const llvm::Module &module)
{
	return llvm::any_of(module, [](const llvm::Function &function) {
		return function.size() > mostBlocks || llvm::any_of(function, CutBlocks::isLarge);
	});
}

/* Past so many instructions or blocks of one function keeping values in registers takes more than twice as long as quick code without. */
constexpr unsigned mostKeeping = 3000, mostKeepingBlocks = 300;
/* In innermost loops, at most so many instructions for each value that goes from block to block. With more of them values live within
 * blocks, where -O0 has them in registers, too. */
constexpr unsigned mostForOneValue = 11;

/* Of innermost loops, where a launch's time goes. */
struct InnermostLoops {
	size_t instructions = 0, values = 0;

	void add(const llvm::BasicBlock &block)
	{
		instructions += block.size();
		for (const llvm::Instruction &instruction : block) {
			/* A phi counts by itself, too: a sum in a loop waits for its own store. */
			values += instruction.isUsedOutsideOfBlock(&block) +
				  llvm::isa<llvm::PHINode>(instruction);
		}
	}
};

/* Whether quick code keeps values in registers from block to block. */
bool keepsRegisters(llvm::Module &module, const llvm::TargetMachine &machine)
{
	InnermostLoops innermost;

	if (machine.getOptLevel() != llvm::CodeGenOptLevel::None || !weft::isQuick(module))
		return false;
	for (llvm::Function &function : module) {
		if (function.isDeclaration())
			continue;
		if (function.size() > mostKeepingBlocks ||
		    function.getInstructionCount() > mostKeeping)
			return false;
		const llvm::DominatorTree dominators(function);
		const llvm::LoopInfo loops(dominators);
		for (const llvm::BasicBlock &block : function) {
			const llvm::Loop *loop = loops.getLoopFor(&block);
			if (loop && loop->isInnermost())
				innermost.add(block);
		}
	}
	return innermost.values && innermost.instructions <= mostForOneValue * innermost.values;
}

/* With a pass of ours, and without two that compare what they look at in pairs. */
void limitPasses(llvm::TargetPassConfig &config)
{
	const std::unique_ptr<llvm::Pass> prepare(llvm::createCodeGenPrepareLegacyPass());

	config.insertPass(prepare->getPassID(), new CutBlocks());
	config.disablePass(&llvm::MachineSinkingLegacyID);
	config.disablePass(&llvm::PostRASchedulerID);
}

/* What full code has beside LLVM's passes. Each is put behind a pass that -O0 does not have. */
void addFullPasses(llvm::TargetPassConfig &config, const llvm::TargetMachine &machine,
		   const llvm::Module &module)
{
	weft::addFoldCompares(config);
	if (isLarge(module))
		limitPasses(config);
	if (machine.getTargetTriple().isX86())
		weft::addBreakFalseDependencies(config);
}

/* Adds the passes of -O1, in place of those of -O0, that come after instruction selection, which stays as it is: it is most of the time of
 * quick code. At -O0 each value goes through memory at its block's end, so a sum in a loop waits for its own store. What gains
 * less than it takes is left out. Sinking stays: what one path needs is made there and takes no register elsewhere. */
void addRegisterPasses(llvm::TargetPassConfig &config, llvm::TargetMachine &machine)
{
	for (llvm::AnalysisID pass :
	     {&llvm::EarlyTailDuplicateLegacyID, &llvm::OptimizePHIsLegacyID,
	      &llvm::StackColoringLegacyID,      &llvm::DeadMachineInstructionElimID,
	      &llvm::EarlyIfConverterLegacyID,   &llvm::MachineCombinerID,
	      &llvm::EarlyMachineLICMID,         &llvm::MachineCSELegacyID,
	      &llvm::PeepholeOptimizerLegacyID,  &llvm::DetectDeadLanesID,
	      &llvm::MachineSchedulerID,         &llvm::StackSlotColoringID,
	      &llvm::MachineCopyPropagationID,   &llvm::MachineLICMID,
	      &llvm::PostRAMachineSinkingID,     &llvm::ShrinkWrapID,
	      &llvm::BranchFolderPassID,         &llvm::TailDuplicateLegacyID,
	      &llvm::PostRASchedulerID,          &llvm::MachineBlockPlacementID})
		config.disablePass(pass);
	machine.setOptLevel(llvm::CodeGenOptLevel::Less);
	config.addMachinePasses();
	machine.setOptLevel(llvm::CodeGenOptLevel::None);
}

} // namespace

namespace weft
{

bool addEmissionPasses(llvm::legacy::PassManager &passes, llvm::TargetMachine &machine,
		       llvm::Module &module, const Emission &emission)
{
	llvm::TargetPassConfig *config = machine.createPassConfig(passes);
	auto *modules = new llvm::MachineModuleInfoWrapperPass(&machine);

	/* Without this no function of the C library is known, and memory is set byte by byte. */
	passes.add(new llvm::RuntimeLibraryInfoWrapper(
		machine.getTargetTriple(), machine.Options.ExceptionModel,
		machine.Options.FloatABIType, machine.Options.EABIVersion,
		machine.Options.MCOptions.getABIName(), machine.Options.VecLib));
	passes.add(config);
	passes.add(modules);
	config->setDisableVerify(true);
	if (machine.getOptLevel() != llvm::CodeGenOptLevel::None)
		addFullPasses(*config, machine, module);
	if (config->addISelPasses())
		return true;
	if (keepsRegisters(module, machine))
		addRegisterPasses(*config, machine);
	else
		config->addMachinePasses();
	config->setInitialized();
	if (machine.addAsmPrinter(passes, emission.stream, nullptr, emission.type,
				  modules->getMMI().getContext()))
		return true;
	passes.add(llvm::createFreeMachineFunctionPass());
	return false;
}

} // namespace weft

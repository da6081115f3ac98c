/* SPDX-License-Identifier: MIT
 *
 * Zeroes registers before instructions that read them without a need.
 */
#include "code_generation/false_dependencies.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace
{

/* The register that is written, where the instruction reads it though its value does not matter; or null. Another register, which holds
 * what is read later, or one that the instruction also takes a value from, must not be zeroed. */
const llvm::MachineOperand *undefinedUse(const llvm::MachineInstr &instruction,
					 const llvm::TargetRegisterInfo &registers)
{
	const llvm::MachineOperand &result = instruction.getOperand(0);
	const llvm::MachineOperand *found = nullptr;

	for (const llvm::MachineOperand &operand : instruction.explicit_uses()) {
		if (!operand.isReg() || !operand.getReg() ||
		    !registers.regsOverlap(operand.getReg(), result.getReg()))
			continue;
		if (!operand.isUndef())
			return nullptr;
		if (!found)
			found = &operand;
	}
	return found;
}

class BreakFalseDependencies : public llvm::MachineFunctionPass
{
      public:
	static char ID;

	BreakFalseDependencies() : MachineFunctionPass(ID)
	{
	}

	bool runOnMachineFunction(llvm::MachineFunction &function) override
	{
		const llvm::TargetSubtargetInfo &target = function.getSubtarget();
		const llvm::TargetInstrInfo &set = *target.getInstrInfo();
		bool changed = false;

		for (llvm::MachineBasicBlock &block : function) {
			for (llvm::MachineInstr &instruction : block) {
				if (!set.getName(instruction.getOpcode()).starts_with("VPTERNLOG"))
					continue;
				const llvm::MachineOperand *use =
					undefinedUse(instruction, *target.getRegisterInfo());
				if (!use)
					continue;
				set.breakPartialRegDependency(instruction, use->getOperandNo(),
							      target.getRegisterInfo());
				changed = true;
			}
		}
		return changed;
	}

	void getAnalysisUsage(llvm::AnalysisUsage &usage) const override
	{
		usage.setPreservesCFG();
		MachineFunctionPass::getAnalysisUsage(usage);
	}
};

char BreakFalseDependencies::ID;

} // namespace

namespace weft
{

void addBreakFalseDependencies(llvm::TargetPassConfig &config)
{
	config.insertPass(&llvm::ExpandPostRAPseudosID, new BreakFalseDependencies());
}

} // namespace weft
